import { dirname, isAbsolute } from 'node:path'
import { HarnessError } from '../../cards/index.js'
import { isInside } from '../../workspace/index.js'
import { protectGitFolder } from './git-folder.js'
import { toHiddenPaths } from './hidden-paths.js'
import { listNamedSockets } from './named-sockets.js'
import type { SandboxOptions } from './options.js'
import type { SandboxPlan } from './plan.js'
import type { WorkspaceScan } from './scan-workspace.js'
import { listSecretPlaces } from './secret-places.js'
import { fromHome, realPaths, type Surroundings } from './surroundings.js'
import type { SystemPlaces } from './system-places.js'
import { listHomeSettings, toWritableRoots } from './writable-roots.js'

/** Programs of some systems; the rest of /run is sockets and the states of services. */
const PROGRAMS_OF_RUN = ['/run/current-system', '/run/opengl-driver']
const NAME_LOOKUP_OF_RUN = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager']

export interface PlanRequest {
  /** As the session spells them. */
  readonly roots: readonly string[]
  readonly cwd: string
  /** The program's name or path. */
  readonly program: string
  readonly options: SandboxOptions
  readonly around: Surroundings
  readonly places: SystemPlaces
  /** The session's own temporary folder. */
  readonly temporaryFolder: () => Promise<string>
  readonly scan: (root: string) => Promise<WorkspaceScan>
}

/** Looks at the file system as it is now and decides what a command may see and change. Throws REFUSED for a hidden cwd. */
export async function makePlan(request: PlanRequest): Promise<SandboxPlan> {
  const { options, around, places } = request
  const [home = around.home] = await realPaths([around.home])
  const own = (paths: readonly string[] = []) => realPaths(paths.map(path => fromHome(home, path)))
  const [realRoots, [cwd = request.cwd], ownWrite, ownRead, toShow] = await Promise.all([
    realPaths(request.roots),
    realPaths([request.cwd]),
    own(options.write),
    own(options.read),
    realPaths(listShown(request)),
  ])
  const roots = toWritableRoots(realRoots, home)
  const scans = await Promise.all(roots.map(request.scan))
  const gits = await Promise.all(scans.flatMap(scan => scan.gitFolders).map(protectGitFolder))
  const writable = byDepth([...roots, ...toWritableRoots(ownWrite, home), ...gits.map(git => git.writable)])

  const isWritable = isInsideOneOf(writable)
  const isMasked = isInsideOneOf([...places.sockets, ...places.temporary])
  const shown = toShow.filter(path => isMasked(path) && !isWritable(path) && !places.temporary.includes(path))
  const isShown = isInsideOneOf(shown)
  const isVisible = (path: string) => !isMasked(path) || isWritable(path) || isShown(path)

  const [hidden, readOnly, links] = await Promise.all([
    listHidden(request, { home, roots, readable: ownRead, inRoots: scans.flatMap(scan => scan.hidden) }),
    listHomeSettings(roots, home).then(settings => realPaths([...settings, ...scans.flatMap(scan => scan.readOnly)])),
    listLinks(request.roots, isVisible),
  ])
  if (isInsideOneOf(hidden.folders)(cwd)) {
    throw new HarnessError('REFUSED', `The sandbox hides ${request.cwd} from commands.`)
  }
  const mountPoints = [...writable, ...shown, ...links.map(({ at }) => at)]
  const needsEmptyTemporary = mountPoints.some(
    path => !places.temporary.includes(path) && isInsideOneOf(places.temporary)(path),
  )
  const isSpellingVisible = isVisible(request.cwd) || isInsideOneOf(links.map(({ at }) => at))(request.cwd)

  return {
    cwd: isSpellingVisible ? request.cwd : cwd,
    network: options.network === true,
    kernelFiles: places.kernelFiles,
    emptied: places.sockets,
    temporary: { at: places.temporary, ...(needsEmptyTemporary ? {} : { folder: await request.temporaryFolder() }) },
    shown: byDepth(shown),
    writable,
    links,
    readOnly: byDepth([...readOnly, ...gits.flatMap(git => git.readOnly)]).filter(isWritable),
    keptEmpty: gits.flatMap(git => git.keptEmpty),
    hidden: { folders: hidden.folders.filter(isVisible), files: hidden.files.filter(isVisible) },
  }
}

/** What must stay readable where a place is emptied: the cwd, and what PATH names. */
function listShown({ cwd, program, options, around }: PlanRequest): string[] {
  const folders = (around.env.PATH ?? '').split(':').filter(isAbsolute)
  const ofRun = options.network === true ? [...PROGRAMS_OF_RUN, ...NAME_LOOKUP_OF_RUN] : PROGRAMS_OF_RUN
  return [cwd, ...folders, ...ofRun, ...(isAbsolute(program) ? [dirname(program)] : [])]
}

interface HiddenSources {
  readonly home: string
  readonly roots: readonly string[]
  readonly readable: readonly string[]
  readonly inRoots: readonly string[]
}

async function listHidden({ options, around }: PlanRequest, { home, roots, readable, inRoots }: HiddenSources) {
  const [secrets, sockets] = await Promise.all([listSecretPlaces({ ...around, home }), listNamedSockets()])
  // With the network, what listens inside the workspace is part of it: a database of the project.
  const outside = options.network === true ? sockets.filter(path => !isInsideOneOf(roots)(path)) : sockets
  return toHiddenPaths(
    [...secrets, ...outside, ...inRoots],
    readable,
    (options.hidden ?? []).map(path => fromHome(home, path)),
  )
}

/** The spellings of roots that do not exist any more where their place is emptied. */
async function listLinks(
  roots: readonly string[],
  isVisible: (path: string) => boolean,
): Promise<SandboxPlan['links']> {
  const links = await Promise.all(roots.map(async at => (await realPaths([at])).map(to => ({ at, to }))))
  return links.flat().filter(({ at, to }) => at !== to && !isVisible(at))
}

function isInsideOneOf(folders: readonly string[]): (path: string) => boolean {
  return path => folders.some(folder => isInside(folder, path))
}

/** Each once, parents before what is in them. */
function byDepth(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length)
}
