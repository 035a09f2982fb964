import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** Two are rare; a long list is a server that wants to tire its reader. */
const MAX_ENCODINGS = 5

/**
 * The bytes as they were before the server compressed them, by its `content-encoding`: it is not asked to, but some do. With an
 * encoding that Node does not know they stay as they came.
 */
export async function decodeBody(message: IncomingMessage, encoding: string): Promise<Readable> {
  const encodings = encoding
    .toLowerCase()
    .split(',')
    .map(name => name.trim().replace(/^x-/, ''))
    .filter(name => name !== '' && name !== 'identity')
  const isKnown = encodings.every(name => name === 'gzip' || name === 'deflate' || name === 'br')
  if (encodings.length === 0 || encodings.length > MAX_ENCODINGS || !isKnown) return message
  const zlib = await import('node:zlib')
  const { pipeline } = await import('node:stream')
  // Each piece is given out as it comes, and of an answer that was cut off what is there: as the platform's does.
  const gently = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  const decoders = encodings.reverse().map(name => {
    if (name === 'br') return zlib.createBrotliDecompress()
    return name === 'gzip' ? zlib.createGunzip(gently) : zlib.createInflate(gently)
  })
  return decoders.reduce<Readable>((source, decoder) => pipeline(source, decoder, () => {}), message)
}
