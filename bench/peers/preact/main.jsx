/** @jsxImportSource preact */
import { render } from 'preact'

const POOLS = [
  { pair: 'BNB / USDT', price: '620.0000', change: '+1.24%' },
  { pair: 'ETH / USDT', price: '3,100.0000', change: '-0.42%' },
  { pair: 'ETH / BNB', price: '5.0000', change: '+0.08%' },
]

/** As much as Clearwell's home shows first: what one has, the ways on, the pools. */
function Home() {
  return (
    <main>
      <p>總資產（USDT）</p>
      <h1>12,345.67</h1>
      <nav>轉入　兌換　質押　盲盒</nav>
      <h2>市場</h2>
      <ul>
        {POOLS.map(({ pair, price, change }) => (
          <li key={pair}>
            <span>{pair}</span>
            <span>
              {price} {change}
            </span>
          </li>
        ))}
      </ul>
    </main>
  )
}

render(<Home />, document.getElementById('app'))
