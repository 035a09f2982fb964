import { tmpdir } from 'node:os'
import { ByteTail } from '../../cards/index.js'
import type { Command, Launch, LaunchedProcess, LaunchOptions, ProcessExit } from '../../registry/index.js'
import { toBubblewrapArguments } from './bubblewrap.js'
import type { Backend } from './detect.js'
import type { SandboxPlan } from './plan.js'
import { toSeatbeltProfile } from './seatbelt.js'
import { SANDBOX_ENVIRONMENT } from './secret-places.js'

const MAX_TAIL_BYTES = 8 * 1024
/** Inside, the session's own temporary folder is there, whatever the user's is called. */
const TEMPORARY_VARIABLES = { TMPDIR: '/tmp', TMP: undefined, TEMP: undefined }

/** A process that was started in the sandbox. */
export interface HeldProcess {
  /** Once it has ended. */
  exit?: ProcessExit
  /** The end of what it wrote. */
  readonly tail: ByteTail
}

export interface HeldLaunch {
  readonly launch: Launch
  readonly processes: readonly HeldProcess[]
}

/** Wraps `launch` so that what it starts runs in the sandbox. */
export function holdLaunch(
  launch: Launch,
  backend: Backend,
  toPlan: (command: Command, options: LaunchOptions) => Promise<SandboxPlan>,
): HeldLaunch {
  const processes: HeldProcess[] = []
  return {
    processes,
    async launch(command, options) {
      const plan = await toPlan(command, options)
      const held: HeldProcess = { tail: new ByteTail(MAX_TAIL_BYTES) }
      const child = await launch(toHeldCommand(backend, plan, command), {
        ...options,
        env: {
          ...options.env,
          ...SANDBOX_ENVIRONMENT,
          ...(backend.type === 'bubblewrap' ? TEMPORARY_VARIABLES : {}),
        },
        onOutput: (chunk, stream) => {
          held.tail.push(chunk)
          return options.onOutput?.(chunk, stream)
        },
      })
      processes.push(held)
      return waitForGroup(child, held)
    },
  }
}

function toHeldCommand(backend: Backend, plan: SandboxPlan, command: Command): Command {
  return backend.type === 'bubblewrap'
    ? [backend.program, ...toBubblewrapArguments(plan, backend.privileges), ...command]
    : [backend.program, '-p', toSeatbeltProfile(plan, tmpdir()), ...command]
}

/** A kill ends bwrap itself before what is inside; the process counts as ended once all of it is gone. */
function waitForGroup(child: LaunchedProcess, held: HeldProcess): LaunchedProcess {
  let killed: Promise<void> | undefined
  const exited = child.exited.then(async exit => {
    await killed
    held.exit = exit
    return exit
  })
  return {
    pid: child.pid,
    exited,
    kill: () => {
      killed ??= child.kill()
      return killed
    },
  }
}
