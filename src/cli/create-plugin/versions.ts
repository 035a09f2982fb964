import { devDependencies, version } from '../../../package.json'

/** What a new plugin needs, in the versions that this one was built and tested with. */
export const versions = {
  deckhand: version,
  typescript: devDependencies.typescript,
  nodeTypes: devDependencies['@types/node'],
}
