/** One step of a scripted turn: a tool call, or the words that end the turn. */
export type Step =
  | { kind: 'shell'; command: string }
  | { kind: 'read'; path: string }
  | { kind: 'write'; path: string; content: string }
  | { kind: 'edit'; path: string; oldText: string; newText: string }
  | { kind: 'say'; text: string; pieces?: number }

/** What a turn does; the prompt names it, and the scripted model and the floor both read it from there. */
export interface Script {
  name: ScriptName
  /** The project, absolute. */
  root: string
  /** How many calls, MiB of output or pieces of text. */
  count: number
}

export type ScriptName = 'shell' | 'edits' | 'output' | 'lines' | 'sleep' | 'say'

export const BIG_FILE_LINES = 5000

const END: Step = { kind: 'say', text: 'done' }

/** The big file's line at `n`, 1-based, before and after its edit. */
export const bigLine = (n: number): string => `v${String(n).padStart(4, '0')} = ${n % 10}`
export const editedLine = (n: number): string => `w${String(n).padStart(4, '0')} = 77`
export const lineOfEdit = (k: number): number => 50 + k * 97

export function toSteps({ name, root, count }: Script): Step[] {
  const big = `${root}/big.txt`
  switch (name) {
    case 'shell':
      return [...times(count, n => ({ kind: 'shell' as const, command: `true ${n + 1}` })), END]
    case 'edits':
      return [
        { kind: 'read', path: big },
        ...times(count, k => {
          const line = lineOfEdit(k)
          return { kind: 'edit' as const, path: big, oldText: bigLine(line), newText: editedLine(line) }
        }),
        ...times(Math.ceil(count / 5), k => ({
          kind: 'write' as const,
          path: `${root}/new${k}.txt`,
          content: `file ${k}\nsecond line\n`,
        })),
        END,
      ]
    case 'output':
      return [{ kind: 'shell', command: `node ${root}/output.cjs ${count}` }, END]
    case 'lines':
      return [{ kind: 'shell', command: "for i in 1 2 3; do printf 'tick10%d\\n' $i; sleep 0.3; done" }, END]
    case 'sleep':
      return [{ kind: 'shell', command: 'node -e "setTimeout(() => {}, 31700)"' }, END]
    case 'say':
      return [{ kind: 'say', text: 'word '.repeat(Math.max(1, count)), pieces: Math.max(1, count) }]
  }
}

/** The prompt of a script; what stands in it once is what the model finds in its request. */
export function toPrompt({ name, root, count }: Script): string {
  return `Please run the scripted steps. [[BENCH ${name} ${count} ${root}]]`
}

/** The last script that a text names. */
export function findScript(text: string): Script | undefined {
  const found = [...text.matchAll(/\[\[BENCH (\w+) (\d+) ([^\]]+)\]\]/g)].at(-1)
  if (!found) return undefined
  return { name: found[1] as ScriptName, count: Number(found[2]), root: found[3] ?? '' }
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}
