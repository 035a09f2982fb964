import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import * as tls from 'node:tls'
import { HarnessError } from '../cards/index.js'

const MAX_BYTES = 4 * 1024 * 1024
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a TLS connection trusts: the platform's authorities and those of `caFile` (PEM, absolute path). A context, so that
 * some hundred certificates are parsed once and not for each connection. Throws CA_FILE_FAILED.
 */
export async function trustedCertificates(caFile: string, env: Environment): Promise<tls.SecureContext> {
  const own = await readCertificates(caFile)
  return tls.createSecureContext({ ca: [...(await defaultCertificates(env)), ...own] })
}

async function readCertificates(caFile: string): Promise<string[]> {
  try {
    const { size } = await stat(caFile)
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    const found = (await readFile(caFile, 'latin1')).match(PEM) ?? []
    if (found.length === 0) throw new Error('it holds no certificate in PEM form')
    // A context takes what is no certificate without a word.
    for (const certificate of found) new X509Certificate(certificate)
    return found
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new HarnessError(
      'CA_FILE_FAILED',
      `The certificates in ${caFile} (caFile in the config) cannot be used: ${reason}.`,
      { cause: error },
    )
  }
}

/** A context with authorities of its own replaces the platform's, and with them those of NODE_EXTRA_CA_CERTS. */
async function defaultCertificates(env: Environment): Promise<readonly string[]> {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] }
  const shipped = getCACertificates?.('default') ?? tls.rootCertificates
  const extra = env.NODE_EXTRA_CA_CERTS
  // A file that Node could not read at its start is one that it has warned of.
  const text = extra ? await readFile(extra, 'latin1').catch(() => '') : ''
  return [...shipped, ...(text.match(PEM) ?? [])]
}
