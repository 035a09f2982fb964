/** Only what is used of it: how a command has to be started on Windows. */
declare module 'cross-spawn' {
  interface Parsed {
    command: string
    args: string[]
    options: { windowsVerbatimArguments?: boolean }
  }
  const spawn: { _parse(command: string, args: string[]): Parsed }
  export default spawn
}
