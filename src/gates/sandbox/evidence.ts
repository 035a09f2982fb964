/** What of the sandbox a failed command seems to have met. */
export type Obstacle = 'network' | 'read-only' | 'hidden'

/** Words of programs and of the C library. In another language than English they say nothing, and so does this. */
const SIGNS: readonly [Obstacle, RegExp][] = [
  ['read-only', /\bEROFS\b|read-only file ?system|device or resource busy/i],
  [
    'network',
    /\bE(?:NETUNREACH|AI_AGAIN|NOTFOUND|CONNREFUSED)\b|network is unreachable|temporary failure in name resolution|could(?: not|n't) resolve (?:host|proxy)|name or service not known|no address associated|failed to resolve|unable to resolve|failed to connect|connection refused/i,
  ],
  ['hidden', /\bE(?:ACCES|PERM)\b|permission denied|operation not permitted/i],
]

const WORDS: Record<Obstacle, string> = {
  network: 'it gives them no network',
  'read-only': 'outside the workspace, and for files that steer git, editors or agents, it lets them change nothing',
  hidden: 'it hides secrets from them',
}

/** What the end of a failed command's output points to. A guess from words: the command may have failed by itself. */
export function findObstacles(output: string, isNetworkOpen: boolean): Obstacle[] {
  return SIGNS.filter(([obstacle, sign]) => (obstacle !== 'network' || !isNetworkOpen) && sign.test(output)).map(
    ([obstacle]) => obstacle,
  )
}

export function describeObstacles(obstacles: readonly Obstacle[]): string {
  return obstacles.map(obstacle => WORDS[obstacle]).join('; ')
}
