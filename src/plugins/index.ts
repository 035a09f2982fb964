export { toPluginNotices } from './report.js'
export { type PluginSource, UserPlugins, type UserPluginsOptions } from './user-plugins.js'
