import type { ContentBlock as AcpContentBlock } from '@agentclientprotocol/sdk'
import type { ContentBlock } from '../../cards/index.js'

/** The editor's prompt as our content blocks; annotations and metadata are left behind, an unknown type becomes a note. */
export function fromPromptBlocks(blocks: readonly AcpContentBlock[]): ContentBlock[] {
  return blocks.map(fromPromptBlock)
}

function fromPromptBlock(block: AcpContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return { type: 'image', data: block.data, mimeType: block.mimeType, ...(block.uri ? { uri: block.uri } : {}) }
    case 'audio':
      return { type: 'audio', data: block.data, mimeType: block.mimeType }
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: block.uri,
        name: block.name,
        ...(block.title ? { title: block.title } : {}),
        ...(block.description ? { description: block.description } : {}),
        ...(block.mimeType ? { mimeType: block.mimeType } : {}),
        ...(block.size ? { size: Number(block.size) } : {}),
      }
    case 'resource': {
      const { resource } = block
      const mimeType = resource.mimeType ? { mimeType: resource.mimeType } : {}
      return 'text' in resource
        ? { type: 'resource', resource: { uri: resource.uri, ...mimeType, text: resource.text } }
        : { type: 'resource', resource: { uri: resource.uri, ...mimeType, blob: resource.blob } }
    }
    default:
      return {
        type: 'text',
        text: `[a content block of type ${String((block as { type: unknown }).type)} was left out]`,
      }
  }
}
