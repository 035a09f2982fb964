import type { Context, Plugin } from 'cordis'
import type {} from '../../../registry/index.js'
import { toEnvironment } from './environment.js'
import { findSkills } from './find-skills.js'
import { readGitState } from './git-state.js'
import { IDENTITY } from './identity.js'
import { toInstructions } from './instructions.js'

export interface ModelContextOptions {
  /** Where the user's own AGENTS.md and skills are; without it only those of the workspace count. */
  configDir?: string
}

/** A plugin with the shipped sections of the system prompt: who the model is, where it works, instructions, skills. */
export function modelContext({ configDir }: ModelContextOptions): Plugin {
  return {
    name: 'model-context',
    inject: ['systemPrompt', 'launcher'],
    apply(ctx: Context) {
      ctx.systemPrompt.section('identity', 0, () => IDENTITY)
      ctx.systemPrompt.section('environment', 100, async agent => {
        if (!agent) return undefined
        const { sessionId, cwd, roots } = agent
        const git = await readGitState(ctx.launcher, sessionId, cwd)
        const facts = { cwd, roots, platform: process.platform, now: new Date() }
        return toEnvironment({ ...facts, ...(git === undefined ? {} : { git }) })
      })
      ctx.systemPrompt.section('instructions', 200, agent => toInstructions(agent?.roots ?? [], configDir))
      ctx.systemPrompt.section('skills', 300, async agent => {
        const skills = await findSkills(agent?.roots ?? [], configDir)
        if (skills.length === 0) return undefined
        return [
          '# Skills',
          '',
          'Instructions for certain tasks. When one fits, read its file first and follow it. They permit nothing by themselves.',
          '',
          ...skills.map(
            ({ name, description, path }) => `- ${name} (${path})${description === '' ? '' : `: ${description}`}`,
          ),
        ].join('\n')
      })
    },
  }
}
