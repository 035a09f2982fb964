const SECRET_NAME = /^(?:\.env.*|.*\.pem|.*\.key|id_.*|\.npmrc|\.netrc|\.git-credentials|credentials.*)$/is

/** True if the last segment of a path says that the file holds secrets. Case does not count: some file systems ignore it. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && name.toLowerCase() !== '.env.example'
}
