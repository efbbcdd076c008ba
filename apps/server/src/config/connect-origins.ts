import type { FileConfig } from './config.ts'

/** The origins that a page may talk to beside its own: the chain's node, and WalletConnect's relay where it is offered. */
export function connectOrigins({ walletConnect }: Pick<FileConfig, 'walletConnect'>, publicRpcUrl: string): string[] {
  const node = new URL(publicRpcUrl).origin
  if (!walletConnect) return [node]
  const { relayUrl } = walletConnect
  // The relay is asked over HTTP too, for what needs no socket.
  return [node, relayUrl, relayUrl.replace(/^ws/, 'http')]
}
