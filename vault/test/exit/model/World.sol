// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IExitVault} from "../../../src/exit/IExitVault.sol";
import {SumTree} from "../../../src/exit/SumTree.sol";
import {Ledger, ModelToken} from "./Ledger.sol";

/// Calls in any order: users, the server, the guardian and the owner, and time. Money is counted on both sides of the vault,
/// from the balances alone.
contract World is Ledger {
    /// By user, over all assets.
    uint256[2] public deposited;
    uint256[2] public received;

    /// By asset.
    uint256[3] public paidIn;
    uint256[3] public paidOut;

    // Users

    function deposit(uint256 user, uint256 asset, uint256 amount) external {
        (user, asset, amount) = (user % 2, asset % 3, bound(amount, 1, 1e6));
        address account = users[user];
        uint256 value = asset == 0 ? amount : 0;
        if (asset == 0) vm.deal(account, amount);
        else ModelToken(assets[asset]).mint(account, amount);
        vm.startPrank(account);
        if (asset != 0) IERC20(assets[asset]).approve(address(vault), amount);
        (bool done,) =
            address(vault).call{value: value}(abi.encodeCall(vault.deposit, (assets[asset], amount, bytes32(0))));
        vm.stopPrank();
        assertTrue(!done || (_isFresh() && vault.accountOf(account).exitAt == 0), "deposit into a closed vault");
        if (!done) return;
        deposited[user] += amount;
        paidIn[asset] += amount;
    }

    function requestExit(uint256 user) external {
        vm.prank(users[user % 2]);
        (bool done,) = address(vault).call(abi.encodeCall(vault.requestExit, ()));
        done;
    }

    function cancelExit(uint256 user) external {
        vm.prank(users[user % 2]);
        (bool done,) = address(vault).call(abi.encodeCall(vault.cancelExit, ()));
        done;
    }

    /// With the base that the rule names, or with another one, which never pays.
    function finishExit(uint256 user, uint256 asset, uint256 other) external {
        (user, asset) = (user % 2, asset % 3);
        IExitVault.Account memory account = vault.accountOf(users[user]);
        uint256 last = _lastUpTo(account.exitAt + 6 days);
        if (account.exitAt == 0 || last == 0) return;
        uint256 base = _baseOf(user, account.exitAt + 6 days);
        bool isWrong = other % 4 == 0;
        if (isWrong) {
            base = other / 4 % snapshots.length;
            if (base == 0 || base == last) return;
            last = base;
        }
        if (!_submitExit(user, asset, last, base)) return;
        assertFalse(isWrong, "an exit under another base");
        assertGe(vm.getBlockTimestamp(), account.exitAt + 7 days, "an early exit");
        assertGe(base, account.floor, "an exit below the floor");
    }

    function _submitExit(uint256 user, uint256 asset, uint256 last, uint256 base) private returns (bool done) {
        IExitVault.ExitProof memory proof;
        (proof.base, proof.next) = (_roots(last, base), _nextOf(last));
        if (keys.pausedAt() != 0) {
            uint256 sound = _lastUpTo(keys.pausedAt() - 24 hours);
            if (sound == 0) return false;
            (proof.unfrozen, proof.unfrozenNext) = (_roots(sound, sound), _nextOf(sound));
        }
        uint256 before = _held(asset, users[user]);
        bytes memory data = abi.encodeCall(vault.finishExit, (proof, _claimOf(base, user, asset), users[user]));
        vm.prank(users[user]);
        (done,) = address(vault).call(data);
        _countReceived(user, asset, before);
    }

    // The server

    function swap(uint256 user, uint256 from, uint256 to, uint256 amount) external {
        (user, from, to) = (user % 2, from % 3, to % 3);
        if (_isStopped(user) || from == to) return;
        uint128 available = uint128(_availableOf(user, from));
        if (available == 0) return;
        amount = bound(amount, 1, available);
        leaf[user][from].free -= uint128(amount);
        leaf[user][to].free += uint128(amount);
        // The house's liquidity is on the chain too.
        _give(to, amount);
    }

    function askWithdrawal(uint256 user, uint256 asset, uint256 amount) external {
        (user, asset) = (user % 2, asset % 3);
        uint256 available = _availableOf(user, asset);
        if (_isStopped(user) || available == 0) return;
        withdrawals.push(
            Withdrawal(user, asset, bound(amount, 1, available), vm.getBlockTimestamp() + 4 hours, 0, false)
        );
    }

    function submit(uint256 index) external {
        if (withdrawals.length == 0) return;
        index %= withdrawals.length;
        Withdrawal memory w = withdrawals[index];
        // The signer signs once a header holds the lock, and never after the withdrawal is closed.
        if (w.root == 0 || w.closed) return;
        IExitVault.Voucher memory voucher =
            IExitVault.Voucher(users[w.user], assets[w.asset], w.amount, index, w.deadline, w.root);
        bytes memory signature = _signature(SIGNER_KEY, vault.hashVoucher(voucher));
        uint256 before = _held(w.asset, users[w.user]);
        bool isOpen = vault.accountOf(users[w.user]).exitAt != 0;
        bool isReached = vault.newestRoot().number >= w.root;
        (bool done,) = address(vault).call(abi.encodeCall(vault.withdraw, (voucher, signature)));
        assertTrue(!done || (_isFresh() && !isOpen && isReached), "a voucher out of order");
        _countReceived(w.user, w.asset, before);
    }

    function sync() public {
        _sync();
        _syncTotals();
    }

    function postRoot(bool isKept) external {
        sync();
        _sign();
        if (!isKept) _post(kept.length - 1);
    }

    function postKept(uint256 index) external {
        _post(index % kept.length);
    }

    // Powers and time

    function pause(uint256 chance) external {
        if (chance % 4 != 0 || keys.pausedAt() != 0) return;
        vm.prank(guardian);
        keys.pause();
    }

    function unpause() external {
        if (keys.pausedAt() == 0) return;
        vm.prank(owner);
        keys.unpause();
    }

    function drop(uint256 from, uint256 count) external {
        uint256 newest = snapshots.length - 1;
        if (keys.pausedAt() == 0 || newest == 0) return;
        from = 1 + from % newest;
        uint256 to = from + count % 3;
        if (to > newest || snapshots[from].dropped) return;
        uint256 left = from - 1;
        while (left > 0 && snapshots[left].dropped) --left;
        IExitVault.PostedHeader[] memory remaining = left == 0 ? new IExitVault.PostedHeader[](0) : _roots(left, left);
        IExitVault.RootRef memory first = _refOf(from);
        uint40 pausedAt = keys.pausedAt();
        vm.prank(owner);
        (bool done,) = address(vault).call(abi.encodeCall(vault.dropRoots, (first, uint40(to), remaining)));
        if (!done) return;
        assertGt(snapshots[from].postedAt, pausedAt - 24 hours, "an old root was dropped");
        for (uint256 i = from; i <= to; ++i) {
            snapshots[i].dropped = true;
        }
    }

    function wait(uint256 duration) external {
        duration = duration % 4 == 0 ? duration % 8 days : duration % 1 hours;
        vm.warp(vm.getBlockTimestamp() + duration + 1);
        vm.roll(vm.getBlockNumber() + duration / 3 + 1);
    }

    function end(uint256 chance) external {
        if (chance % 8 != 0) return;
        (bool done,) = address(vault).call(abi.encodeCall(vault.startEnd, (assets[0])));
        if (done) vm.warp(vm.getBlockTimestamp() + 1 days);
        (done,) = address(vault).call(abi.encodeCall(vault.end, ()));
    }

    function claim(uint256 user, uint256 asset) external {
        (user, asset) = (user % 2, asset % 3);
        uint256 last = vault.closing().base;
        if (vault.closing().endedAt == 0 || last == 0) return;
        uint256 base = last;
        IExitVault.Account memory account = vault.accountOf(users[user]);
        if (snapshots[base].cursorBlock < account.lastBlock) base = account.lastBase;
        uint256 before = _held(asset, users[user]);
        IExitVault.PostedHeader[] memory roots = _roots(last, base);
        bytes memory data = abi.encodeCall(claims.claimAfterEnd, (roots, _claimOf(base, user, asset), users[user]));
        vm.prank(users[user]);
        (bool done,) = address(claims).call(data);
        assertTrue(!done || base >= account.floor, "a claim below the floor");
        _countReceived(user, asset, before);
    }

    // Reading, for the invariants

    function heldBy(uint256 asset) external view returns (uint256) {
        return _held(asset, address(vault)) + _held(asset, address(claims));
    }

    // Steps

    function _countReceived(uint256 user, uint256 asset, uint256 before) private {
        uint256 amount = _held(asset, users[user]) - before;
        received[user] += amount;
        paidOut[asset] += amount;
    }

    /// No command of an account with an open exit, at the tip or at the cursor, and none once the roots are two hours old.
    function _isStopped(uint256 user) private view returns (bool) {
        bool isOpen = vault.accountOf(users[user]).exitAt != 0 || exitAtCursor[user] != 0;
        return isOpen || vm.getBlockTimestamp() > vault.newestRoot().postedAt + 2 hours;
    }

    function _isFresh() private view returns (bool) {
        IExitVault.Closing memory closing = vault.closing();
        return keys.pausedAt() == 0 && closing.endingAt == 0
            && vm.getBlockTimestamp() < vault.newestRoot().postedAt + 24 hours;
    }

    function _availableOf(uint256 user, uint256 asset) private view returns (uint256 available) {
        available = leaf[user][asset].free;
        for (uint256 i = 0; i < withdrawals.length; ++i) {
            Withdrawal storage w = withdrawals[i];
            if (w.closed || w.user != user || w.asset != asset) continue;
            available = available > w.amount ? available - w.amount : 0;
        }
    }

    function _give(uint256 asset, uint256 amount) private {
        if (asset == 0) vm.deal(address(vault), address(vault).balance + amount);
        else ModelToken(assets[asset]).mint(address(vault), amount);
        paidIn[asset] += amount;
    }

    function _held(uint256 asset, address account) private view returns (uint256) {
        return asset == 0 ? account.balance : IERC20(assets[asset]).balanceOf(account);
    }

    function _claimOf(uint256 base, uint256 user, uint256 asset) private view returns (IExitVault.Claim memory claim) {
        (claim.asset, claim.index, claim.place) = (assets[asset], uint8(asset), user);
        claim.leaf = snapshots[base].leaves[user][asset];
        SumTree.Leaf memory other = snapshots[base].leaves[1 - user][asset];
        claim.path = new SumTree.Sibling[](1);
        claim.path[0] = SumTree.Sibling(_hashOf(other, 1 - user, asset), other.free);
    }

    function _roots(uint256 first, uint256 second) private view returns (IExitVault.PostedHeader[] memory list) {
        list = new IExitVault.PostedHeader[](first == second ? 1 : 2);
        for (uint256 i = 0; i < list.length; ++i) {
            uint256 seq = i == 0 ? first : second;
            list[i] = IExitVault.PostedHeader(snapshots[seq].header, snapshots[seq].postedAt, uint40(seq));
        }
    }

    function _nextOf(uint256 seq) private view returns (IExitVault.RootRef memory) {
        for (uint256 i = seq + 1; i < snapshots.length; ++i) {
            if (!snapshots[i].dropped) return _refOf(i);
        }
        return IExitVault.RootRef(0, 0, 0);
    }

    function _refOf(uint256 seq) private view returns (IExitVault.RootRef memory) {
        return IExitVault.RootRef(vault.hashHeader(snapshots[seq].header), snapshots[seq].postedAt, uint40(seq));
    }
}
