import type { Context } from 'cordis'
import { type ToolCallView, text } from '../../cards/index.js'
import { defineTool } from '../../registry/index.js'
import { type PlanEntryInput, toPlan, toProgress } from './plan.js'

export const name = 'todo'
export const inject = ['tools']

/** Registers the tool `todo`, whose result carries the plan that the client shows. */
export function apply(ctx: Context): void {
  ctx.tools.register(
    defineTool({
      name: 'todo',
      description:
        'Keep the plan that the user sees. Give the whole list each time; it replaces the one before. Keep one entry in ' +
        'progress, and set entries to completed as soon as they are done.',
      parameters: {
        entries: {
          type: 'array',
          required: true,
          description: 'All steps in order, at most 100; an empty list clears the plan.',
          items: {
            type: 'object',
            properties: {
              content: { type: 'string', required: true, description: 'What is to be done, in one short line.' },
              status: { type: 'string', required: true, enum: ['pending', 'in_progress', 'completed'] },
              priority: { type: 'string', enum: ['high', 'medium', 'low'], description: 'Default: medium.' },
            },
          },
        },
      },
      async execute(args) {
        const plan = toPlan(args.entries)
        const current = plan.find(entry => entry.status === 'in_progress')
        const next = current === undefined ? '' : `; in progress: ${current.content}`
        return {
          content: [text(`Plan: ${toProgress(plan)}${next}.`)],
          meta: { plan: plan.map(entry => ({ ...entry })) },
        }
      },
      presentCall: presentTodoCall,
      effects: () => ({}),
    }),
  )
}

function presentTodoCall(args: { entries: readonly PlanEntryInput[] }): ToolCallView | undefined {
  if (args.entries === undefined) return undefined
  return { card: 'generic', kind: 'think', title: `Plan: ${toProgress(args.entries)}` }
}
