import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

interface Message {
  readonly topic: string
  readonly message: string
  readonly publishedAt: number
  readonly tag: number | undefined
}

interface Request {
  readonly id: number | string
  readonly method?: string
  readonly params?: Params
}

interface Params {
  readonly topic?: string
  readonly topics?: readonly string[]
  readonly message?: string
  readonly tag?: number
  readonly pairingTopic?: string
  readonly sessionTopic?: string
  readonly sessionProposal?: string
  readonly sessionProposalResponse?: string
  readonly sessionSettlementRequest?: string
}

/**
 * A WalletConnect relay on this machine: topics, subscriptions, a mailbox for clients that come later, and an
 * acknowledgement of each request. It reads no message, as they are sealed between the two ends.
 */
export class LocalRelay {
  /** Addresses that sockets were opened with. */
  readonly connections: string[] = []
  readonly methods: string[] = []
  readonly #server: WebSocketServer
  readonly #subscribers = new Map<string, Set<WebSocket>>()
  readonly #mailbox = new Map<string, Message[]>()
  #lastId = 0

  private constructor(server: WebSocketServer) {
    this.#server = server
    server.on('connection', (socket, request) => {
      this.connections.push(request.url ?? '')
      socket.on('message', (data) => this.#hear(socket, JSON.parse(String(data)) as Request))
      socket.on('close', () => {
        for (const sockets of this.#subscribers.values()) sockets.delete(socket)
      })
    })
  }

  static async start(): Promise<LocalRelay> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await new Promise((resolve) => server.once('listening', resolve))
    return new LocalRelay(server)
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #hear(socket: WebSocket, { id, method, params = {} }: Request): void {
    // A response to a delivery.
    if (method === undefined) return
    this.methods.push(method)
    const respond = (result: unknown) => socket.send(JSON.stringify({ id, jsonrpc: '2.0', result }))
    const { topic = '', topics = [], message = '', tag } = params
    switch (method) {
      case 'irn_subscribe':
        respond(`subscription of ${topic}`)
        this.#subscribe(socket, topic)
        break
      case 'irn_batchSubscribe':
        respond(topics.map((each) => `subscription of ${each}`))
        for (const each of topics) this.#subscribe(socket, each)
        break
      case 'irn_batchFetchMessages':
        respond({ messages: topics.flatMap((each) => this.#mailbox.get(each) ?? []), hasMore: false })
        break
      case 'irn_unsubscribe':
        this.#subscribers.get(topic)?.delete(socket)
        respond(true)
        break
      case 'irn_publish':
        respond(true)
        this.#publish(socket, topic, message, tag)
        break
      case 'wc_proposeSession':
        respond(true)
        this.#subscribe(socket, params.pairingTopic ?? '')
        this.#publish(socket, params.pairingTopic ?? '', params.sessionProposal ?? '', 1100)
        break
      case 'wc_approveSession':
        respond(true)
        this.#subscribe(socket, params.sessionTopic ?? '')
        this.#publish(socket, params.pairingTopic ?? '', params.sessionProposalResponse ?? '', 1101)
        this.#publish(socket, params.sessionTopic ?? '', params.sessionSettlementRequest ?? '', 1102)
        break
      default:
        socket.send(JSON.stringify({ id, jsonrpc: '2.0', error: { code: -32601, message: `no ${method} here` } }))
    }
  }

  #subscribe(socket: WebSocket, topic: string): void {
    const sockets = this.#subscribers.get(topic) ?? new Set()
    if (sockets.has(socket)) return
    this.#subscribers.set(topic, sockets.add(socket))
    for (const message of this.#mailbox.get(topic) ?? []) this.#deliver(socket, message)
  }

  #publish(from: WebSocket, topic: string, text: string, tag: number | undefined): void {
    const message = { topic, message: text, publishedAt: Date.now(), tag }
    this.#mailbox.set(topic, [...(this.#mailbox.get(topic) ?? []), message])
    for (const socket of this.#subscribers.get(topic) ?? []) if (socket !== from) this.#deliver(socket, message)
  }

  #deliver(socket: WebSocket, data: Message): void {
    this.#lastId += 1
    const params = { id: `subscription of ${data.topic}`, data }
    socket.send(JSON.stringify({ id: this.#lastId, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }
}
