import { createRequire } from 'node:module'

/** The program of the optional package `@vscode/ripgrep` that lies beside this one; undefined if there is none. */
export function findRipgrep(from: string | URL = import.meta.url): string | undefined {
  const { platform, arch } = process
  try {
    const wrapper = createRequire(from).resolve('@vscode/ripgrep')
    // The package of the platform is a dependency of the wrapper, and may be visible from there only.
    return createRequire(wrapper).resolve(
      `@vscode/ripgrep-${platform}-${arch}/bin/${platform === 'win32' ? 'rg.exe' : 'rg'}`,
    )
  } catch {
    return undefined
  }
}
