import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'
import { HarnessError } from '../cards/index.js'

const MAX_BYTES = 4 * 1024 * 1024

type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a TLS connection trusts: the platform's authorities and those of `caFile` (PEM, absolute path). A context, so that
 * some hundred certificates are parsed once and not for each connection. Throws CA_FILE_FAILED.
 */
export async function trustedCertificates(caFile: string, env: Environment): Promise<tls.SecureContext> {
  const own = await readCertificates(caFile)
  try {
    return tls.createSecureContext({ ca: [...(await defaultCertificates(env)), own] })
  } catch (error) {
    throw failure(caFile, 'it holds a certificate that cannot be read', error)
  }
}

async function readCertificates(caFile: string): Promise<string> {
  let content: Buffer
  try {
    content = await readFile(caFile)
  } catch (error) {
    throw failure(caFile, error instanceof Error ? error.message : String(error), error)
  }
  const text = content.subarray(0, MAX_BYTES).toString('latin1')
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw failure(caFile, 'it holds no certificate in PEM form')
  return text
}

/** A context with authorities of its own replaces the platform's, and with them those of NODE_EXTRA_CA_CERTS. */
async function defaultCertificates(env: Environment): Promise<readonly string[]> {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] }
  if (getCACertificates) return getCACertificates('default')
  const extra = env.NODE_EXTRA_CA_CERTS
  // A file that Node could not read at its start is one that it has warned of.
  const text = extra ? await readFile(extra, 'latin1').catch(() => '') : ''
  return text.includes('-----BEGIN CERTIFICATE-----') ? [...tls.rootCertificates, text] : tls.rootCertificates
}

function failure(caFile: string, reason: string, cause?: unknown): HarnessError {
  return new HarnessError('CA_FILE_FAILED', `The certificates in ${caFile} (caFile) cannot be used: ${reason}.`, {
    cause,
  })
}
