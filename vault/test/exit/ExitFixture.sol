// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Claims} from "../../src/exit/Claims.sol";
import {ExitVault} from "../../src/exit/ExitVault.sol";
import {IExitVault} from "../../src/exit/IExitVault.sol";
import {AssetFigures, Header, RootHeader} from "../../src/exit/RootHeader.sol";
import {Settlement} from "../../src/exit/Settlement.sol";
import {SumTree} from "../../src/exit/SumTree.sol";
import {VaultKeys} from "../../src/exit/VaultKeys.sol";
import {PlayToken} from "../tokens/HostileTokens.sol";
import {Books} from "./Books.sol";

contract PlainToken is PlayToken {}

/// A vault with three assets, a server's ledger beside it, and every header that was made, with its leaves. The ledger books
/// the vault's counters when `book` is called, swaps one to one against the house, and signs with one key of each role.
abstract contract ExitFixture is Test {
    address internal constant NATIVE = address(0);
    uint256 internal constant START = 1_767_225_600;
    uint256 internal constant BLOCK_SECONDS = 3;

    uint256 internal constant SIGNER_KEY = 0x5167;
    uint256 internal constant ROOT_KEY = 0x4007;
    uint256 internal constant BOOK_KEY = 0xb00c;
    uint256 internal constant SPARE_SIGNER_KEY = 0x5168;

    /// What a root was made from.
    struct Snapshot {
        bytes header;
        bytes leaves;
        uint40 postedAt;
        uint40 seq;
    }

    struct Signed {
        bytes header;
        bytes leaves;
        bytes rootSignature;
        bytes bookSignature;
    }

    struct House {
        uint128 lending;
        uint128 payouts;
        uint128 house;
        uint128 locked;
    }

    address internal owner = makeAddr("owner");
    address internal guardian = makeAddr("guardian");
    address internal payout = makeAddr("payout");
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    address internal carol = makeAddr("carol");
    address internal thief = makeAddr("thief");
    address internal stranger = makeAddr("stranger");

    ExitVault internal vault;
    VaultKeys internal keys;
    Claims internal claims;
    Settlement internal settlement;
    PlayToken internal usdt;
    PlayToken internal eth;
    address[3] internal tokens;
    address[] internal accounts;
    uint8 internal depth = 3;
    uint64 internal number = 100;
    uint256 internal nonce;

    // The ledger.
    mapping(address account => mapping(address asset => SumTree.Leaf)) internal ledger;
    mapping(address asset => House) internal house;
    bytes32 internal positionsRoot = keccak256("positions");
    bytes32 internal pools = keccak256("pools");

    Snapshot[] internal snapshots;

    function setUp() public virtual {
        vm.warp(START);
        vm.roll(1_000_000);
        usdt = new PlainToken();
        eth = new PlainToken();
        tokens = [NATIVE, address(usdt), address(eth)];
        accounts = [alice, bob, carol, thief];
        settlement =
            new Settlement(ExitVault(payable(vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1))));
        vault = new ExitVault(setupOf(address(settlement)));
        keys = vault.keys();
        claims = Claims(vault.claims());
        for (uint256 i = 0; i < accounts.length; ++i) {
            for (uint256 j = 0; j < 3; ++j) {
                give(accounts[i], tokens[j], 1_000 ether);
                ledger[accounts[i]][tokens[j]].salt = keccak256(abi.encode("salt", accounts[i]));
            }
        }
        snapshots.push();
        post();
    }

    function setupOf(address settlement_) internal view returns (IExitVault.Setup memory setup) {
        setup.owner = owner;
        setup.guardian = guardian;
        setup.payout = payout;
        setup.settlement = settlement_;
        setup.signers = one(vm.addr(SIGNER_KEY));
        setup.rootKeys = one(vm.addr(ROOT_KEY));
        setup.bookkeepers = one(vm.addr(BOOK_KEY));
        setup.assets = new IExitVault.AssetSetup[](3);
        for (uint256 i = 0; i < 3; ++i) {
            setup.assets[i] = IExitVault.AssetSetup(tokens[i], 1_000 ether, 10_000 ether);
        }
    }

    // Users

    function deposit(address account, address asset, uint256 amount) internal {
        vm.startPrank(account);
        if (asset != NATIVE) IERC20(asset).approve(address(vault), amount);
        vault.deposit{value: asset == NATIVE ? amount : 0}(asset, amount, bytes32(0));
        vm.stopPrank();
    }

    function requestExit(address account) internal {
        vm.prank(account);
        vault.requestExit();
    }

    function cancelExit(address account) internal {
        vm.prank(account);
        vault.cancelExit();
    }

    /// The account's leaf and path under the snapshot.
    function claimOf(uint256 snapshot, address account, address asset)
        internal
        view
        returns (IExitVault.Claim memory claim)
    {
        claim.asset = asset;
        claim.index = uint8(indexOf(asset));
        claim.place = placeOf(account);
        SumTree.Leaf[][] memory leaves = abi.decode(snapshots[snapshot].leaves, (SumTree.Leaf[][]));
        claim.leaf = leaves[claim.index][claim.place];
        claim.path = Books.pathOf(asset, accounts, leaves[claim.index], depth, claim.place);
    }

    function noLeaf(address asset) internal pure returns (IExitVault.Claim memory claim) {
        claim.asset = asset;
    }

    /// Exit under the snapshot as base, with the one after it that is not dropped as next.
    function finishExit(address account, address asset, uint256 base) internal {
        IExitVault.ExitProof memory proof = proofOf(base);
        IExitVault.Claim memory claim = claimOf(base, account, asset);
        vm.prank(account);
        vault.finishExit(proof, claim, account);
    }

    function refuseExit(address account, address asset, uint256 base, bytes memory refusal) internal {
        IExitVault.ExitProof memory proof = proofOf(base);
        IExitVault.Claim memory claim = claimOf(base, account, asset);
        vm.prank(account);
        vm.expectRevert(refusal);
        vault.finishExit(proof, claim, account);
    }

    function proofOf(uint256 base) internal view returns (IExitVault.ExitProof memory proof) {
        proof.base = posted(base);
        for (uint256 i = base + 1; i < snapshots.length; ++i) {
            if (vault.rootAt(i) == 0) continue;
            proof.next = refOf(i);
            return proof;
        }
    }

    function claimAfterEnd(address account, address asset, uint256 base) internal returns (uint256 received) {
        IExitVault.PostedHeader[] memory roots = posted(base);
        IExitVault.Claim memory claim = claimOf(base, account, asset);
        uint256 before = held(asset, account);
        vm.prank(account);
        claims.claimAfterEnd(roots, claim, account);
        return held(asset, account) - before;
    }

    // The server

    /// Books all that the vault has counted, as of this block.
    function book() internal {
        for (uint256 i = 0; i < accounts.length; ++i) {
            for (uint256 j = 0; j < 3; ++j) {
                bookAccount(accounts[i], tokens[j]);
            }
        }
    }

    function bookAccount(address account, address asset) internal {
        SumTree.Leaf storage leaf = ledger[account][asset];
        IExitVault.Balance memory balance = vault.balanceOf(account, asset);
        leaf.free = leaf.free + (balance.deposited - leaf.depositedSeen) - (balance.paid - leaf.paidSeen);
        leaf.depositedSeen = balance.deposited;
        leaf.paidSeen = balance.paid;
    }

    /// One to one against the house, which gets the units that the account gives.
    function swap(address account, address from, address to, uint128 amount) internal {
        ledger[account][from].free -= amount;
        ledger[account][to].free += amount;
        house[from].house += amount;
        house[to].house -= amount;
    }

    function lock(address asset, uint128 amount) internal {
        house[asset].locked = amount;
    }

    function makeHeader() internal returns (Header memory header, bytes memory leaves) {
        header.number = ++number;
        header.cursorBlock = uint64(vm.getBlockNumber());
        header.cursorTime = uint40(vm.getBlockTimestamp());
        header.positionsRoot = positionsRoot;
        header.pools = pools;
        header.depth = depth;
        header.assets = new AssetFigures[](3);
        SumTree.Leaf[][] memory all = new SumTree.Leaf[][](3);
        for (uint256 i = 0; i < 3; ++i) {
            all[i] = leavesOf(tokens[i]);
            header.assets[i] = figuresOf(tokens[i], all[i]);
        }
        leaves = abi.encode(all);
    }

    function leavesOf(address asset) internal view returns (SumTree.Leaf[] memory leaves) {
        leaves = new SumTree.Leaf[](accounts.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            leaves[i] = ledger[accounts[i]][asset];
        }
    }

    function figuresOf(address asset, SumTree.Leaf[] memory leaves) internal view returns (AssetFigures memory f) {
        House memory own = house[asset];
        IExitVault.Totals memory totals = vault.totalsOf(asset);
        f.token = asset;
        f.root = Books.rootOf(asset, accounts, leaves, depth);
        f.users = Books.sumOf(leaves);
        (f.lending, f.payouts, f.house, f.locked) = (own.lending, own.payouts, own.house, own.locked);
        (f.depositedSeen, f.paidSeen, f.exitedSeen, f.payoutPaidSeen) =
        (totals.deposited, totals.paid, totals.exited, totals.payoutPaid);
    }

    function signHeader(Header memory header, bytes memory leaves) internal view returns (Signed memory signed) {
        bytes memory words = RootHeader.encode(header);
        bytes32 digest = vault.hashHeader(words);
        signed = Signed(words, leaves, signWith(ROOT_KEY, digest), signWith(BOOK_KEY, digest));
    }

    /// Books, signs and posts. Returns the snapshot, which is also the number of posts.
    function post() internal returns (uint256) {
        book();
        return postSigned(sign());
    }

    function sign() internal returns (Signed memory) {
        (Header memory header, bytes memory leaves) = makeHeader();
        return signHeader(header, leaves);
    }

    function postSigned(Signed memory signed) internal returns (uint256 snapshot) {
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
        snapshots.push(Snapshot(signed.header, signed.leaves, uint40(vm.getBlockTimestamp()), uint40(snapshots.length)));
        return snapshots.length - 1;
    }

    function voucherOf(address account, address asset, uint256 amount) internal returns (IExitVault.Voucher memory) {
        return IExitVault.Voucher(account, asset, amount, ++nonce, vm.getBlockTimestamp() + 1 hours, number);
    }

    function withdraw(address account, address asset, uint256 amount) internal {
        IExitVault.Voucher memory voucher = voucherOf(account, asset, amount);
        vault.withdraw(voucher, signVoucher(voucher));
    }

    function refuseWithdrawal(IExitVault.Voucher memory voucher, bytes memory refusal) internal {
        bytes memory signature = signVoucher(voucher);
        vm.expectRevert(refusal);
        vault.withdraw(voucher, signature);
    }

    function signVoucher(IExitVault.Voucher memory voucher) internal view returns (bytes memory) {
        return signWith(SIGNER_KEY, vault.hashVoucher(voucher));
    }

    function signWith(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    // Powers

    function pause() internal {
        vm.prank(guardian);
        keys.pause();
    }

    function unpause() internal {
        vm.prank(owner);
        keys.unpause();
    }

    /// Drops the snapshots; `left` is the newest one that remains, 0 without one or if the newest root is not dropped.
    function drop(uint256 from, uint256 to, uint256 left) internal {
        IExitVault.PostedHeader[] memory remaining = left == 0 ? new IExitVault.PostedHeader[](0) : posted(left);
        IExitVault.RootRef memory first = refOf(from);
        vm.prank(owner);
        vault.dropRoots(first, uint40(to), remaining);
    }

    // Helpers

    function pass(uint256 duration) internal {
        vm.warp(vm.getBlockTimestamp() + duration);
        vm.roll(vm.getBlockNumber() + duration / BLOCK_SECONDS);
    }

    /// Lets time pass with a root every twelve hours.
    function passWithRoots(uint256 duration) internal {
        uint256 until = vm.getBlockTimestamp() + duration;
        while (vm.getBlockTimestamp() + 12 hours < until) {
            pass(12 hours);
            post();
        }
        pass(until - vm.getBlockTimestamp());
        post();
    }

    function posted(uint256 snapshot) internal view returns (IExitVault.PostedHeader[] memory list) {
        list = new IExitVault.PostedHeader[](1);
        list[0] = postedOf(snapshot);
    }

    function posted(uint256 first, uint256 second) internal view returns (IExitVault.PostedHeader[] memory list) {
        list = new IExitVault.PostedHeader[](2);
        (list[0], list[1]) = (postedOf(first), postedOf(second));
    }

    function postedOf(uint256 snapshot) internal view returns (IExitVault.PostedHeader memory) {
        return
            IExitVault.PostedHeader(snapshots[snapshot].header, snapshots[snapshot].postedAt, snapshots[snapshot].seq);
    }

    function refOf(uint256 snapshot) internal view returns (IExitVault.RootRef memory) {
        Snapshot storage root = snapshots[snapshot];
        return IExitVault.RootRef(vault.hashHeader(root.header), root.postedAt, root.seq);
    }

    function held(address asset, address account) internal view returns (uint256) {
        return asset == NATIVE ? account.balance : IERC20(asset).balanceOf(account);
    }

    function give(address account, address asset, uint256 amount) internal {
        if (asset == NATIVE) vm.deal(account, account.balance + amount);
        else PlayToken(asset).mint(account, amount);
    }

    function take(address asset, uint256 amount) internal {
        if (asset == NATIVE) vm.deal(address(vault), address(vault).balance - amount);
        else deal(asset, address(vault), IERC20(asset).balanceOf(address(vault)) - amount);
    }

    function indexOf(address asset) internal view returns (uint256 index) {
        while (tokens[index] != asset) ++index;
    }

    function placeOf(address account) internal view returns (uint256 place) {
        while (accounts[place] != account) ++place;
    }

    function one(address account) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = account;
    }
}
