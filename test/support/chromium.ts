import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** A Chromium on the PATH. Without one (Debian: package `chromium`) the tests in a browser do not run. */
export const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap(directory => NAMES.map(name => join(directory, name)))
  .find(path => existsSync(path))

interface PageOptions {
  width: number
  height: number
  dark?: boolean
  /** Where the picture goes. */
  screenshot: string
}

/** Opens a page without a window; resolves to its elements as text, and to what the browser had to say of it. */
export async function openPage(
  path: string,
  { width, height, dark = false, screenshot }: PageOptions,
): Promise<{ dom: string; complaints: string[] }> {
  const profile = await mkdtemp(join(tmpdir(), 'deckhand-chromium-'))
  const args = [
    ...['--headless', '--disable-gpu', '--hide-scrollbars', '--enable-logging=stderr', '--disable-dev-shm-usage'],
    // Its own sandbox needs a user who is not root, and namespaces, which containers may lack.
    '--no-sandbox',
    `--user-data-dir=${profile}`,
    `--blink-settings=preferredColorScheme=${dark ? 0 : 1}`,
    `--window-size=${width},${height}`,
    `--screenshot=${screenshot}`,
    '--dump-dom',
    pathToFileURL(path).href,
  ]
  try {
    return await new Promise((resolve, reject) => {
      const options = { maxBuffer: 64 * 1024 * 1024, timeout: 50_000 }
      execFile(chromium ?? 'chromium', args, options, (error, dom, log) => {
        if (error) reject(error)
        else resolve({ dom, complaints: log.split('\n').filter(line => line.includes('CONSOLE')) })
      })
    })
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
