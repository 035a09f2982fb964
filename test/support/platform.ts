import { existsSync } from 'node:fs'

// Why a test runs only in some places: the condition says what the test needs, its sentence what the other places lack.

/** Windows has no modes of files and no FIFOs, and lets administrators alone make links. */
export const isPosix = process.platform !== 'win32'

/** Root writes what is read-only, and nobody else can give a file to another owner. */
export const isRoot = process.getuid?.() === 0

/** Linux alone has a device that is always full. */
export const hasFullDevice = existsSync('/dev/full')

/** A small container can be without a pager. */
export const hasPager = existsSync('/usr/bin/less')
