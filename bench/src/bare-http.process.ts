import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const ANSWER = JSON.stringify({
  code: 1,
  msg: 'success',
  data: {
    transaction_id: '1b5701a2010adce47086d1b0b73680404389',
    status: 'completed',
    amount_in: '0.010000000000000000',
    amount_out: '6.184734684502847892',
    fee: '0.000025000000000000',
  },
})

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    response.writeHead(body === '' ? 400 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(ANSWER),
    })
    response.end(ANSWER)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
