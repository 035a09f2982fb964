import { homedir } from 'node:os'
import type { Context } from 'cordis'
import { hasErrorCode, isHarnessError, text } from '../../cards/index.js'
import type { StopReason } from '../../session/events.js'
import type { History } from '../../session/index.js'
import { createConsoleDriver, EXAMPLES, type SessionCommand, toNoModelText } from '../console/index.js'
import type { Driver, DriverRun, DriverTurn } from '../driver.js'
import { compact } from './compact.js'
import { findSkills, readSkill, SessionPrompt } from './context/index.js'
import { Conversation } from './conversation.js'
import { converse } from './converse.js'
import type { ModelSource } from './model-source.js'
import type { Model } from './provider/index.js'
import { rehearse } from './rehearse.js'
import { findSkillCall, toSkillCommands } from './skill-command.js'
import { untilAbort } from './until-abort.js'

const MAX_STEPS = 200

export interface ModelDriverOptions {
  /** With the services tools and systemPrompt. */
  ctx: Context
  source: ModelSource
  /** Besides /help, /tools and /compact. */
  sessionCommands?: readonly SessionCommand[]
  /** Where the user's own skills are. */
  configDir?: string
  /** Requests to the model in one turn. Default 200. */
  maxSteps?: number
}

/** What a session keeps in memory between its turns; the log holds all that it is made from. */
interface Kept {
  conversation: Conversation
  prompt: SessionPrompt
}

/**
 * Hands prompts to the model that is in force when a turn starts; the user's own commands run at once, and end the turn.
 * Without a model it is the console.
 */
export function createModelDriver(options: ModelDriverOptions): Driver {
  const { ctx, source, sessionCommands = [], configDir, maxSteps = MAX_STEPS } = options
  const { tools, systemPrompt } = ctx
  const { forSession } = tools
  const compactCommand: SessionCommand = {
    name: 'compact',
    description: 'Summarise the conversation, to make room',
    run: () => '',
  }
  const plain = createConsoleDriver({ tools, sessionCommands })
  const withModel = createConsoleDriver({
    tools,
    sessionCommands: [compactCommand, ...sessionCommands],
    toolLines: false,
  })
  const kept = new WeakMap<History, Kept>()

  function keep(history: History): Kept {
    const known = kept.get(history)
    if (known) return known
    const made = { conversation: new Conversation(history), prompt: new SessionPrompt(systemPrompt) }
    kept.set(history, made)
    return made
  }

  async function* answer(turn: DriverTurn, model: Model): DriverRun<StopReason> {
    const { agent, history, signal } = turn
    const { conversation, prompt } = keep(history)
    const own = forSession(agent.sessionId)
    await own.settled(signal)
    const assemble = () => prompt.assemble(agent, history, `${own.version} ${systemPrompt.version}`)
    return yield* converse({ turn, model, tools: own, conversation, assemble, maxSteps })
  }

  async function* shorten({ history, signal }: DriverTurn, model: Model): DriverRun<StopReason> {
    if (history.promptAt === 0) {
      yield { type: 'note', text: 'There is nothing to summarise yet.' }
      return 'end_turn'
    }
    const isDone = yield* compact({ history, model, signal, when: 'command', mayElide: false })
    if (isDone)
      yield { type: 'note', text: 'The conversation goes on from a summary. The thread above stays as it is.' }
    return 'end_turn'
  }

  return {
    async *run(turn) {
      const { agent, prompt, settings, signal } = turn
      let choice: Awaited<ReturnType<ModelSource['choose']>>
      try {
        choice = await source.choose(settings.model)
      } catch (error) {
        if (withModel.parse(prompt, agent).type !== 'text') return yield* withModel.run(turn)
        return yield* tell(error)
      }
      if (choice.choice === undefined) {
        if ((await plain.read(turn)).type !== 'text') return yield* plain.run(turn)
        const { isComplete } = forSession(agent.sessionId)
        yield { type: 'note', text: toNoModelText(prompt, EXAMPLES, choice.advice, isComplete) }
        return 'end_turn'
      }
      const parsed = withModel.parse(prompt, agent)
      const isCompact = parsed.type === 'session-command' && parsed.name === compactCommand.name
      if (parsed.type !== 'text' && !isCompact) return yield* withModel.run(turn)
      const called = isCompact ? undefined : findSkillCall(prompt, () => findSkills(agent.roots, configDir))
      const skill = called && (await untilAbort(called, signal))
      const body = skill && (await untilAbort(readSkill(skill), signal))
      if (skill && body !== undefined) {
        yield { type: 'context', content: [text(`The skill ${skill.name}, from ${skill.path}:\n\n${body}`)] }
      }
      let model: Model
      try {
        model = await untilAbort(source.open(choice.choice), signal)
      } catch (error) {
        signal.throwIfAborted()
        return yield* tell(error)
      }
      return yield* isCompact ? shorten(turn, model) : answer(turn, model)
    },

    async warm(signal) {
      try {
        const { choice } = await source.choose()
        if (choice === undefined) return
        await source.open(choice)
        await rehearse(await source.canned(choice), forSession(undefined), homedir(), signal)
      } catch {
        // The first prompt tells what is wrong.
      }
    },

    async commands(agent) {
      const chosen = await source.choose().catch(() => undefined)
      if (chosen !== undefined && chosen.choice === undefined) return plain.commands(agent)
      const commands = withModel.commands(agent)
      const taken = new Set(commands.map(({ name }) => name))
      const skills = await findSkills(agent.roots, configDir)
      return [...commands, ...toSkillCommands(skills.filter(({ name }) => !taken.has(name)))]
    },
  }
}

/** What keeps a model from being used, as the answer to the prompt: the words name the next step. */
async function* tell(error: unknown): DriverRun<StopReason> {
  if (!isHarnessError(error) || hasErrorCode(error, 'MODEL_AUTH')) throw error
  yield { type: 'note', text: error.message }
  return 'end_turn'
}
