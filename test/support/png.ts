import { inflateSync } from 'node:zlib'

interface Chunk {
  type: string
  data: Buffer
}

/** A picture as it was drawn: 8 bits a channel, not interlaced. */
export interface Picture {
  width: number
  height: number
  /** How many pixels have each colour, by its bytes in hex. */
  colours: Map<string, number>
}

/** The chunks of a PNG file. */
export function pngChunks(file: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

export function readPng(file: Buffer): Picture {
  const chunks = pngChunks(file)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  if (header?.[8] !== 8 || header[12] !== 0) throw new Error('a kind of PNG that is not read here')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const cell = header[9] === 6 ? 4 : 3
  const rows = unfilter(
    inflateSync(Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))),
    width * cell,
    cell,
  )
  const colours = new Map<string, number>()
  for (let at = 0; at < rows.length; at += cell) {
    const colour = rows.toString('hex', at, at + 3)
    colours.set(colour, (colours.get(colour) ?? 0) + 1)
  }
  return { width, height, colours }
}

/** Undoes the prediction by neighbours that each row of a PNG has. */
function unfilter(data: Buffer, stride: number, cell: number): Buffer {
  const height = data.length / (stride + 1)
  const out = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= cell ? (out[at - cell] ?? 0) : 0
      const up = y > 0 ? (out[at - stride] ?? 0) : 0
      const corner = x >= cell && y > 0 ? (out[at - stride - cell] ?? 0) : 0
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      out[at] = (data[y * (stride + 1) + 1 + x] ?? 0) + predicted
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [byLeft, byUp, byCorner] = [left, up, corner].map(value => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ]
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}

/** The file with a text in it that no viewer shows. */
export function withText(file: Buffer, keyword: string, text: string): Buffer {
  const body = Buffer.from(`tEXt${keyword}\0${text}`, 'latin1')
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  const end = file.length - 12
  return Buffer.concat([file.subarray(0, end), chunk, file.subarray(end)])
}

/** The checksum that each chunk ends with. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
