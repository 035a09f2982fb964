/** Model-facing and card content, provider-neutral. Binary data is base64. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string; uri?: string }
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: EmbeddedResource }
  | {
      type: 'resource_link'
      uri: string
      name: string
      title?: string
      description?: string
      mimeType?: string
      size?: number
    }

export type EmbeddedResource =
  | { uri: string; mimeType?: string; text: string }
  | { uri: string; mimeType?: string; blob: string }

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** One text block. */
export function text(value: string): ContentBlock {
  return { type: 'text', text: value }
}
