import { call, calls, type Gate, say, speak, type Turn, think } from '../../fixtures/model-server/index.js'

type Scripted = Turn | { status: number; type: string; message: string; headers: Record<string, string> }

/** A moment of a model's turn. */
export interface Phase {
  name: string
  /** Answers up to the phase; the gate is where the server waits. */
  script: (gate: Gate) => Scripted[]
  /** What shows the phase on the client's side. */
  shows?: RegExp
  /** The server has said all that it has to say. */
  isAnswered?: true
}

/** Text that comes after each moment. */
export const NEVER = 'never-to-be-seen'

export const phases: Phase[] = [
  { name: 'before the first byte', script: gate => [{ ...say(NEVER), hold: gate }] },
  { name: 'in text', script: gate => [say(['Half a sen', gate, NEVER])], shows: /Half/ },
  {
    name: 'in text after a thought',
    script: gate => [{ parts: [think('Whole.'), speak(['Half a sen', gate, NEVER])] }],
  },
  {
    name: 'in thinking',
    script: gate => [{ parts: [think(['Half a thou', gate, NEVER]), speak(NEVER)] }],
    shows: /Half/,
  },
  { name: 'behind a whole thought', script: gate => [{ parts: [think('A whole thought.'), speak([gate, NEVER])] }] },
  {
    name: 'in arguments',
    script: gate => [
      {
        parts: [
          think('Hm.'),
          call('write', ['{"path":"new.txt","content":"x', gate, `${NEVER}"}`]),
          call('bash', { command: `touch ${NEVER}` }),
        ],
      },
    ],
    shows: /new\.txt/,
  },
  {
    name: 'in the second step',
    script: gate => [calls(call('read', { path: 'old.txt' })), { parts: [think('Hm.'), speak(['Half', gate, NEVER])] }],
  },
  {
    name: 'at a question',
    script: () => [
      {
        parts: [
          think('Hm.'),
          call('read', { path: 'old.txt' }),
          call('write', { path: 'new.txt', content: NEVER }),
          call('read', { path: 'old.txt' }),
        ],
      },
    ],
    shows: /request_permission/,
    isAnswered: true,
  },
  {
    name: 'in the wait for a retry',
    script: () => [{ status: 429, type: 'rate_limit_error', message: 'Slow down.', headers: { 'retry-after': '30' } }],
    shows: /Trying again in 30 s/,
    isAnswered: true,
  },
]

export const RUNNING: Phase = {
  name: 'in a running command',
  script: () => [
    {
      parts: [
        think('Hm.'),
        call('read', { path: 'old.txt' }),
        call('bash', { command: 'echo running; sleep 300' }),
        call('read', { path: 'old.txt' }),
      ],
    },
  ],
  shows: /"data":"running/,
  isAnswered: true,
}
