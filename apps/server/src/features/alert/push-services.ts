/**
 * Returns whether a client's address belongs to a push service of the configuration. Services are origins, with `*.` for
 * any subdomain. The server calls no other address, so a client cannot make it call arbitrary hosts.
 */
export function isOfService(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, host, username, password, hash } = new URL(endpoint)
  if (username !== '' || password !== '' || hash !== '') return false
  return services.some((service) => {
    const [scheme, name = ''] = service.split('://')
    if (protocol !== `${scheme}:`) return false
    // With the dot: a name with the same ending need not be a subdomain.
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length >= name.length : host === name
  })
}
