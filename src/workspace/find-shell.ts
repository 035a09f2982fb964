import { findProgram } from './launch-lookup.js'

/** The configured shell, else bash, else sh; on Windows Git Bash, else PowerShell, never cmd. Windows is untested. */
export function findShell(configured: string | undefined): string {
  if (configured !== undefined) return configured
  if (process.platform === 'win32') return findProgram(windowsShells(process.env)) ?? 'powershell.exe'
  return findProgram(['bash', '/bin/bash', 'sh']) ?? '/bin/sh'
}

// A bash.exe on PATH is that of WSL, which sees another file system.
function windowsShells(env: NodeJS.ProcessEnv): string[] {
  const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LocalAppData && `${env.LocalAppData}\\Programs`]
  const gitBash = folders.filter(folder => folder !== undefined).map(folder => `${folder}\\Git\\bin\\bash.exe`)
  return [...gitBash, 'pwsh.exe', 'powershell.exe']
}
