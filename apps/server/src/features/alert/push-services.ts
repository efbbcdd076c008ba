/**
 * Whether an address that a client gave belongs to one of the push services of the configuration: their origins, where
 * `*.` stands for any name below. The server calls no other, so nobody can have it call a place of their choice.
 */
export function isOfService(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, host, username, password, hash } = new URL(endpoint)
  if (username !== '' || password !== '' || hash !== '') return false
  return services.some((service) => {
    const [scheme, name = ''] = service.split('://')
    if (protocol !== `${scheme}:`) return false
    // With the point: what ends alike need not be below it.
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length >= name.length : host === name
  })
}
