/** Every message stays under this as serialized; some clients stop reading at a fixed size. */
export const MAX_MESSAGE_BYTES = 1024 * 1024
/** Kept free in each message for the envelope, the ids, the title and the keys. */
export const ENVELOPE_BYTES = 16 * 1024
/** One piece of streamed text, as serialized: lines stay under 64 KiB, where some clients stop. */
export const MAX_CHUNK_BYTES = 32 * 1024
/** Media over this becomes a text that names it. */
export const MAX_MEDIA_BYTES = 700 * 1024
/** A string in rawInput over this is cut; a terminal's command is not. */
export const MAX_INPUT_STRING_BYTES = 64 * 1024
/** A terminal's command over this is refused. */
export const MAX_COMMAND_BYTES = 256 * 1024
/** Output text of one card that a client without terminals gets. */
export const MAX_FENCED_BYTES = 40 * 1024
/** Output of one call that is kept and sent from its start; the shipped tools stay below. */
export const MAX_OUTPUT_BYTES = 1_153_434
/** Output of one call that is kept from its end, once it is over {@link MAX_OUTPUT_BYTES}. */
export const OUTPUT_TAIL_BYTES = 64 * 1024
