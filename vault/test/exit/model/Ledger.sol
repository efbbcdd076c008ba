// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CommonBase} from "forge-std/Base.sol";
import {StdAssertions} from "forge-std/StdAssertions.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Claims} from "../../../src/exit/Claims.sol";
import {ExitVault} from "../../../src/exit/ExitVault.sol";
import {IExitVault} from "../../../src/exit/IExitVault.sol";
import {AssetFigures, Header, RootHeader} from "../../../src/exit/RootHeader.sol";
import {Settlement} from "../../../src/exit/Settlement.sol";
import {SumTree} from "../../../src/exit/SumTree.sol";
import {VaultKeys} from "../../../src/exit/VaultKeys.sol";
import {PlayToken} from "../../tokens/HostileTokens.sol";

contract ModelToken is PlayToken {}

/// An honest server beside a vault: two users, three assets that are all worth the same, swaps of one to one without a fee.
/// It follows the rules of the design: a cursor, locks before vouchers, no change of an account with an open exit, no swap once
/// the chain has had no root for two hours, and before a header is signed the balances of a user who may exit under an older
/// root are made to hold what that exit can take.
abstract contract Ledger is CommonBase, StdAssertions, StdUtils {
    struct Snapshot {
        bytes header;
        uint40 postedAt;
        uint64 cursorBlock;
        bool dropped;
        SumTree.Leaf[3][2] leaves;
        bytes positions;
    }

    struct Kept {
        bytes header;
        bytes rootSignature;
        bytes bookSignature;
        uint64 cursorBlock;
        SumTree.Leaf[3][2] leaves;
        bytes positions;
    }

    /// @param user of `users`, or PAYOUT: a transfer out of the treasury
    struct Withdrawal {
        uint256 user;
        uint256 asset;
        uint256 amount;
        uint256 deadline;
        uint64 root;
        bool closed;
    }

    uint256 internal constant PAYOUT = 2;
    uint256 internal constant SIGNER_KEY = 0x5167;
    uint256 internal constant ROOT_KEY = 0x4007;
    uint256 internal constant BOOK_KEY = 0xb00c;

    ExitVault public vault;
    VaultKeys public keys;
    Claims public claims;
    Settlement public settlement;
    address[3] public assets;
    address[2] public users = [address(0xA1), address(0xA2)];
    address internal owner = address(0x0111);
    address internal guardian = address(0x0222);
    address internal payout = address(0x0333);

    // The ledger, as of its cursor.
    SumTree.Leaf[3][2] internal leaf;
    uint64 internal cursorBlock;
    uint40 internal cursorTime;
    uint40[2] internal exitAtCursor;
    uint64 internal number;
    Withdrawal[] internal withdrawals;

    Snapshot[] internal snapshots;
    Kept[] internal kept;

    /// Units of a user that no balance of the user had, so that the house would have to pay them.
    uint256 public loss;

    /// Money that came into the vault, by asset.
    uint256[3] public paidIn;

    constructor() {
        assets = [address(0), address(new ModelToken()), address(new ModelToken())];
        IExitVault.Setup memory setup;
        (setup.owner, setup.guardian, setup.payout) = (owner, guardian, payout);
        (setup.signers, setup.rootKeys, setup.bookkeepers) =
        (_one(vm.addr(SIGNER_KEY)), _one(vm.addr(ROOT_KEY)), _one(vm.addr(BOOK_KEY)));
        setup.assets = new IExitVault.AssetSetup[](3);
        for (uint256 i = 0; i < 3; ++i) {
            setup.assets[i] = IExitVault.AssetSetup(assets[i], 1e30, 1e30);
        }
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        settlement = new Settlement(ExitVault(payable(next)));
        setup.settlement = address(settlement);
        vault = new ExitVault(setup);
        (keys, claims) = (vault.keys(), Claims(vault.claims()));
        snapshots.push();
        _sync();
        _sign();
        _post(0);
    }

    // The server's steps

    /// Moves the cursor to this block and books what the vault counted.
    function _sync() internal {
        (cursorBlock, cursorTime) = (uint64(vm.getBlockNumber()), uint40(vm.getBlockTimestamp()));
        for (uint256 i = 0; i < withdrawals.length; ++i) {
            Withdrawal storage w = withdrawals[i];
            if (!w.closed && (vault.isNonceUsed(i) || w.deadline < cursorTime)) w.closed = true;
        }
        for (uint256 u = 0; u < 2; ++u) {
            exitAtCursor[u] = vault.accountOf(users[u]).exitAt;
            for (uint256 a = 0; a < 3; ++a) {
                IExitVault.Balance memory balance = vault.balanceOf(users[u], assets[a]);
                leaf[u][a].free += balance.deposited - leaf[u][a].depositedSeen;
                uint128 paid = balance.paid - leaf[u][a].paidSeen;
                _require(u, a, paid);
                leaf[u][a].free -= paid;
                (leaf[u][a].depositedSeen, leaf[u][a].paidSeen) = (balance.deposited, balance.paid);
            }
        }
    }

    /// Makes a balance hold `amount`, out of the user's other balances and pledges, and last of all out of the house, which
    /// deposits the units.
    function _require(uint256 u, uint256 a, uint256 amount) private {
        for (uint256 other = 0; other < 3 && leaf[u][a].free < amount; ++other) {
            if (other == a) continue;
            uint256 missing = amount - leaf[u][a].free;
            uint128 moved = leaf[u][other].free < missing ? leaf[u][other].free : uint128(missing);
            leaf[u][other].free -= moved;
            leaf[u][a].free += moved;
            _give(a, moved);
        }
        _cover(u, a, amount);
    }

    function _cover(uint256 u, uint256 a, uint256 amount) private {
        if (leaf[u][a].free >= amount) return;
        uint256 missing = amount - leaf[u][a].free;
        loss += missing - _sellPledges(u, missing);
        leaf[u][a].free = uint128(amount);
        _give(a, missing);
    }

    /// The house takes over pledges of the user for up to `amount` units.
    function _sellPledges(uint256 u, uint256 amount) internal virtual returns (uint256 sold);

    function _lendingOf(uint256 a) internal view virtual returns (uint128);

    /// Root of the positions, hash of the pools, and what claims after the end need of both.
    function _positions() internal view virtual returns (bytes32 root, bytes32 pools, bytes memory kept_);

    /// What an exit that is open at the cursor can take under its base, before a header is signed.
    function _settle(uint256 u) private {
        // A header can be posted for two hours, so it may be after the cut even if its cursor is before.
        if (exitAtCursor[u] == 0 || exitAtCursor[u] + 6 days > cursorTime + 2 hours) return;
        uint256 base = _baseOf(u, exitAtCursor[u] + 6 days);
        if (base == 0) return;
        uint256[3] memory needed;
        for (uint256 a = 0; a < 3; ++a) {
            SumTree.Leaf storage old = snapshots[base].leaves[u][a];
            uint256 plus = uint256(old.free) + leaf[u][a].depositedSeen + old.paidSeen;
            uint256 minus = uint256(old.depositedSeen) + leaf[u][a].paidSeen;
            needed[a] = plus > minus ? plus - minus : 0;
        }
        // What one asset lacks, another has too much of: swaps only moved it.
        for (uint256 a = 0; a < 3; ++a) {
            for (uint256 b = 0; b < 3; ++b) {
                if (leaf[u][a].free >= needed[a] || leaf[u][b].free <= needed[b]) continue;
                uint256 missing = needed[a] - leaf[u][a].free;
                uint256 spare = leaf[u][b].free - needed[b];
                uint128 moved = uint128(missing < spare ? missing : spare);
                leaf[u][b].free -= moved;
                leaf[u][a].free += moved;
                _give(a, moved);
            }
        }
        for (uint256 a = 0; a < 3; ++a) {
            _cover(u, a, needed[a]);
        }
    }

    /// The root that the chain takes for the user's exit: the last one up to the cut, or again the one of the last exit.
    function _baseOf(uint256 u, uint256 cut) internal view returns (uint256 base) {
        base = _lastUpTo(cut);
        IExitVault.Account memory account = vault.accountOf(users[u]);
        if (base != 0 && snapshots[base].cursorBlock < account.lastBlock) base = account.lastBase;
    }

    function _lastUpTo(uint256 time) internal view returns (uint256 base) {
        for (uint256 i = snapshots.length - 1; i > 0; --i) {
            if (!snapshots[i].dropped && snapshots[i].postedAt <= time) return i;
        }
    }

    /// Signs a header of the ledger as it is, and keeps it.
    function _sign() internal {
        _settle(0);
        _settle(1);
        Header memory header;
        header.number = ++number;
        (header.cursorBlock, header.cursorTime, header.depth) = (cursorBlock, cursorTime, 1);
        header.assets = new AssetFigures[](3);
        for (uint256 a = 0; a < 3; ++a) {
            header.assets[a] = _figuresOf(a);
        }
        for (uint256 i = 0; i < withdrawals.length; ++i) {
            if (withdrawals[i].closed) continue;
            AssetFigures memory figures = header.assets[withdrawals[i].asset];
            figures.locked += uint128(withdrawals[i].amount);
            if (withdrawals[i].user == PAYOUT) figures.payouts += uint128(withdrawals[i].amount);
            if (withdrawals[i].root == 0) withdrawals[i].root = number;
        }
        Kept storage last = kept.push();
        (header.positionsRoot, header.pools, last.positions) = _positions();
        bytes memory words = RootHeader.encode(header);
        bytes32 digest = vault.hashHeader(words);
        (last.header, last.cursorBlock, last.leaves) = (words, cursorBlock, leaf);
        (last.rootSignature, last.bookSignature) = (_signature(ROOT_KEY, digest), _signature(BOOK_KEY, digest));
    }

    function _figuresOf(uint256 a) private view returns (AssetFigures memory figures) {
        figures.token = assets[a];
        bytes32[2] memory hashes = [_hashOf(leaf[0][a], 0, a), _hashOf(leaf[1][a], 1, a)];
        (uint128 left, uint128 right) = (leaf[0][a].free, leaf[1][a].free);
        (figures.users, figures.lending) = (left + right, _lendingOf(a));
        figures.root =
            SumTree.hashRoot(assets[a], 1, SumTree.hashNode(hashes[0], left, hashes[1], right), figures.users);
        for (uint256 u = 0; u < 2; ++u) {
            figures.depositedSeen += leaf[u][a].depositedSeen;
        }
        // Booked with the cursor; the totals split what `paid` of the accounts has in one.
        (figures.paidSeen, figures.exitedSeen) = (paidAtCursor[a], exitedAtCursor[a]);
        figures.payoutPaidSeen = payoutPaidAtCursor[a];
    }

    uint128[3] internal paidAtCursor;
    uint128[3] internal exitedAtCursor;
    uint128[3] internal payoutPaidAtCursor;

    function _syncTotals() internal {
        for (uint256 a = 0; a < 3; ++a) {
            IExitVault.Totals memory totals = vault.totalsOf(assets[a]);
            (paidAtCursor[a], exitedAtCursor[a]) = (totals.paid, totals.exited);
            payoutPaidAtCursor[a] = totals.payoutPaid;
        }
    }

    function _post(uint256 index) internal returns (bool done) {
        Kept storage k = kept[index];
        (done,) = address(vault).call(abi.encodeCall(vault.postRoot, (k.header, k.rootSignature, k.bookSignature)));
        if (!done) return false;
        Snapshot storage s = snapshots.push();
        (s.header, s.cursorBlock, s.leaves, s.positions) = (k.header, k.cursorBlock, k.leaves, k.positions);
        s.postedAt = uint40(vm.getBlockTimestamp());
    }

    // Helpers

    /// Money of the house comes in.
    function _give(uint256 asset, uint256 amount) internal {
        if (asset == 0) vm.deal(address(vault), address(vault).balance + amount);
        else ModelToken(assets[asset]).mint(address(vault), amount);
        paidIn[asset] += amount;
    }

    function _held(uint256 asset, address account) internal view returns (uint256) {
        return asset == 0 ? account.balance : IERC20(assets[asset]).balanceOf(account);
    }

    function _hashOf(SumTree.Leaf memory l, uint256 u, uint256 a) internal view returns (bytes32) {
        return SumTree.hashLeaf(users[u], assets[a], l);
    }

    function _signature(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _one(address account) private pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = account;
    }
}
