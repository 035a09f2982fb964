export { findSkills, readSkill } from './find-skills.js'
export { modelContext } from './plugin.js'
export { SessionPrompt } from './session-prompt.js'
export type { Skill } from './skill-file.js'
