import { formatBytes, text } from '../../cards/index.js'
import type { ActiveExecution, ToolOutput } from '../../registry/index.js'
import type { FileLines, Files } from '../../workspace/index.js'

/** A larger one does not fit into a message of the protocol once it is base64. */
const MAX_IMAGE_BYTES = 700_000

/** An image as a block, or as its facts in words if it is too large. `found` is what reading its lines answered. */
export async function readImage(
  files: Files,
  exec: ActiveExecution,
  path: string,
  found: FileLines,
): Promise<ToolOutput> {
  if (found.sizeBytes <= MAX_IMAGE_BYTES) {
    const { bytes, hash, realPath, type } = await files.read(exec.agent, path, exec.signal)
    if (type.kind === 'image' && bytes.length <= MAX_IMAGE_BYTES) {
      files.markSeen(exec.agent?.sessionId, realPath, hash)
      return {
        content: [
          text(`${path}: ${type.mimeType}, ${formatBytes(bytes.length)}`),
          { type: 'image', data: bytes.toString('base64'), mimeType: type.mimeType },
        ],
        meta: { path: found.path, mimeType: type.mimeType, sizeBytes: bytes.length, seen: [{ path: realPath, hash }] },
      }
    }
  }
  const mimeType = found.type.kind === 'image' ? found.type.mimeType : 'unknown type'
  const facts = `${path}: ${mimeType}, ${formatBytes(found.sizeBytes)}`
  return {
    content: [
      text(`${facts}. Too large to be shown: the limit is ${formatBytes(MAX_IMAGE_BYTES)}. Scale it down first.`),
    ],
    meta: { path: found.path, mimeType, sizeBytes: found.sizeBytes },
  }
}
