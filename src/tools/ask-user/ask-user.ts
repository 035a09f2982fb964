import type { Context } from 'cordis'
import { HarnessError, text } from '../../cards/index.js'
import { type ActiveExecution, defineTool, type UserAnswer } from '../../registry/index.js'
import { checkLimits } from './limits.js'
import { type AskArguments, presentAskCall } from './present.js'

export const name = 'ask-user'
export const inject = ['tools']

/** Registers the tool `ask_user`. */
export function apply(ctx: Context): void {
  const answers = new WeakMap<ActiveExecution, UserAnswer>()
  const tool = defineTool({
    name: 'ask_user',
    description:
      'Ask the user one question and wait for the answer. For a decision that is theirs and that the work depends on; not for ' +
      'what can be found out, and not for permission, which is asked for by itself.',
    parameters: {
      question: { type: 'string', required: true, description: 'The question, with what is needed to answer it.' },
      options: {
        type: 'array',
        items: { type: 'string' },
        description: '2 to 6 short answers to choose from. Give them where you can: not every editor takes free text.',
      },
    },
    async execute(_args, exec) {
      const answer = answers.get(exec)
      if (answer === undefined) {
        throw new HarnessError('REFUSED', 'ask_user puts a question of a model to the user; a user has no use for it.')
      }
      if ('answer' in answer) return { content: [text(`The user answers: ${answer.answer}`)], meta: answer }
      const advice = 'Go on with what seems best and say what you assumed, or end your turn with the question.'
      return { content: [text(`No answer: ${answer.declined}. ${advice}`)], meta: answer }
    },
    presentCall: presentAskCall,
    effects: () => ({}),
  })
  ctx.tools.register({
    ...tool,
    modelOnly: true,
    validate(args) {
      tool.validate?.(args)
      checkLimits(args)
    },
  })

  // Before the body: a client lets the user choose only while the call is pending.
  ctx.on('tools/execute', async (exec, next) => {
    const { agent, callId, signal } = exec
    if (exec.name !== tool.name || agent?.origin !== 'model') return next()
    const { question, options } = exec.arguments as unknown as AskArguments
    const questioner = ctx.get('questioner')
    const asked = { callId, agent, question: question.trim(), signal }
    const answer = questioner
      ? await questioner.ask(options ? { ...asked, options: options.map(option => option.trim()) } : asked)
      : { declined: 'there is no user who could be asked' }
    answers.set(exec, answer)
    return next()
  })
}
