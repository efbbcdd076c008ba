// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IExitVault} from "./IExitVault.sol";
import {RootHeader} from "./RootHeader.sol";
import {IVaultKeys} from "./IVaultKeys.sol";
import {VaultKeys} from "./VaultKeys.sol";

/// @title What the vault remembers, and the questions that every part asks about it
abstract contract VaultState is IExitVault, ReentrancyGuardTransient {
    /// @param seq 0 without a root
    struct Newest {
        uint64 number;
        uint64 cursorBlock;
        uint40 postedAt;
        uint40 seq;
    }

    address internal constant NATIVE = address(0);

    /// @dev Gas for reading a balance where a faulty token must not stop the others.
    uint256 private constant BALANCE_GAS = 100_000;

    /// @dev A root is public for this long before an exit can rely on it, and while paused it is frozen if it is younger.
    uint256 internal constant ROOT_AGE = 24 hours;

    /// @dev Frozen roots may be dropped this long after a pause began; then exits under them are paid.
    uint256 internal constant FREEZE = 7 days;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @notice Roles, keys, limits, the list of assets and the pause.
    VaultKeys public immutable keys;

    mapping(address account => Account) internal _accounts;
    mapping(address account => mapping(address asset => Balance)) internal _balances;
    mapping(address asset => Totals) internal _totals;
    mapping(address asset => Figures) internal _figures;

    /// @notice The asset's total of payments by voucher to users when roots were last dropped. Who was paid before may have no
    /// claim under the root that is left, so those payments are not taken off the claims after an end.
    mapping(address asset => uint256) public paidAtDrop;

    /// @dev `_roots[seq]` is the hash of the root's {RootRef}, zero once it is dropped. Counts from 1.
    mapping(uint256 seq => bytes32) internal _roots;
    uint40 internal _posts;
    Newest internal _newest;
    Closing internal _closing;

    constructor(Setup memory setup) {
        keys = new VaultKeys(setup);
    }

    // Questions

    function _requireRunning() internal view {
        _requireNotPaused();
        _requireOpen();
    }

    function _requireNotPaused() internal view {
        if (_pausedAt() != 0) revert VaultPaused();
    }

    // One function for each question to the other contract keeps the code small.

    function _pausedAt() private view returns (uint256) {
        return keys.pausedAt();
    }

    function _assets() internal view returns (address[] memory) {
        return keys.assets();
    }

    /// @dev A signature in bad form recovers the zero address, which is no key.
    function _isSignedBy(IVaultKeys.Role role, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        (address key,,) = ECDSA.tryRecoverCalldata(digest, signature);
        return keys.isActiveKey(role, key);
    }

    /// @dev Any other address looks like an asset whose balance cannot be read, and would end the vault.
    function _requireListed(address asset) internal view {
        if (!keys.isListed(asset)) revert AssetNotAccepted(asset);
    }

    /// @dev Neither ending nor closed by a move.
    function _requireOpen() internal view {
        if (_closing.endingAt != 0 || _closing.movedAt != 0) revert VaultClosed();
    }

    function _requireFresh() internal view {
        _requireRunning();
        Newest storage newest = _newest;
        if (newest.seq == 0 || block.timestamp >= newest.postedAt + ROOT_AGE) revert NotFresh(newest.postedAt);
    }

    function _requirePosted(RootRef memory root) internal view {
        if (root.seq == 0 || _roots[root.seq] != _hashRef(root)) revert RootNotPosted(root.seq);
    }

    /// @dev Requires that `root` is the last one posted up to `time`: it is posted, and what follows is later or dropped.
    function _requireLastUpTo(uint256 time, RootRef memory root, RootRef memory next) internal view {
        _requirePosted(root);
        if (root.postedAt > time) revert NotTheLastRoot(root.seq);
        if (next.seq == 0) {
            if (root.seq != _newest.seq) revert NotTheLastRoot(root.seq);
            return;
        }
        _requirePosted(next);
        if (next.seq <= root.seq || next.postedAt <= time) revert NotTheLastRoot(root.seq);
        _requireDropped(root.seq + 1, next.seq);
    }

    /// @dev Requires that all roots from `from` up to but not including `to` are dropped.
    function _requireDropped(uint256 from, uint256 to) internal view {
        for (uint256 seq = from; seq < to; ++seq) {
            // forge-lint: disable-next-line(unsafe-typecast)
            if (_roots[seq] != 0) revert NotTheLastRoot(uint40(from - 1));
        }
    }

    /// @dev The last time of posting that is not frozen: all of them unless the vault has been paused for under 7 days.
    function _frozenAfter() internal view returns (uint256) {
        uint256 pausedAt = _pausedAt();
        return pausedAt == 0 || block.timestamp >= pausedAt + FREEZE ? type(uint256).max : pausedAt - ROOT_AGE;
    }

    function _hashRef(RootRef memory root) internal pure returns (bytes32) {
        return keccak256(abi.encode(root));
    }

    function _refOf(PostedHeader calldata root) internal view returns (RootRef memory) {
        return RootRef(_hashHeader(root.header), root.postedAt, root.seq);
    }

    function _hashHeader(bytes calldata header) internal view returns (bytes32) {
        return _digestOf(RootHeader.hashStruct(header));
    }

    /// @dev The domain is computed each time, so that a fork of the chain has another one.
    function _digestOf(bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("Clearwell Vault"), keccak256("2"), block.chainid, address(this))
        );
        return MessageHashUtils.toTypedDataHash(domain, structHash);
    }

    // Owed and held

    /// @dev Whether `holdings` are less than what the vault owes now, by the figures of a root and what happened since:
    /// users + lending + payouts + (deposited − depositedSeen) − (paid − paidSeen) − (exited − exitedSeen).
    function _isShort(address asset, uint256 holdings, Figures memory root) internal view returns (bool) {
        Totals memory totals = _totals[asset];
        return holdings + root.depositedSeen + totals.paid + totals.exited
            < uint256(root.owed) + root.payouts + totals.deposited + root.paidSeen + root.exitedSeen;
    }

    function _requireNotShort(address asset, uint256 holdings, Figures memory root) internal view {
        if (_isShort(asset, holdings, root)) revert AssetShort(asset);
    }

    /// @dev Reverts where the token does. Only for calls that concern this asset alone.
    function _balanceOf(address asset) internal view returns (uint256 held) {
        bool known;
        (held, known) = _tryBalanceOf(asset);
        if (!known) revert BalanceUnknown(asset);
    }

    /// @dev Reads a balance with limited gas and without copying what the token returns, so that one token cannot stop a call
    /// about all assets. The caller's own gas cannot decide the result. Balances above 2^127 count as unknown.
    function _tryBalanceOf(address asset) internal view returns (uint256 held, bool known) {
        if (asset == NATIVE) return (address(this).balance, true);
        bytes memory data = abi.encodeWithSignature("balanceOf(address)", address(this));
        if (gasleft() < BALANCE_GAS + BALANCE_GAS / 32) revert TooLittleGas();
        assembly ("memory-safe") {
            known := staticcall(BALANCE_GAS, asset, add(data, 32), mload(data), 0, 32)
            known := and(known, gt(returndatasize(), 31))
            held := mload(0)
            known := and(known, iszero(shr(127, held)))
        }
        if (!known) held = 0;
    }

    /// @param index of the asset in the header
    function _figuresIn(bytes calldata header, uint256 index) internal pure returns (Figures memory figures) {
        figures.owed =
            RootHeader.figure(header, index, RootHeader.USERS) + RootHeader.figure(header, index, RootHeader.LENDING);
        figures.locked = RootHeader.figure(header, index, RootHeader.LOCKED);
        figures.depositedSeen = RootHeader.figure(header, index, RootHeader.DEPOSITED_SEEN);
        figures.paidSeen = RootHeader.figure(header, index, RootHeader.PAID_SEEN);
        figures.exitedSeen = RootHeader.figure(header, index, RootHeader.EXITED_SEEN);
        figures.payoutPaidSeen = RootHeader.figure(header, index, RootHeader.PAYOUT_PAID_SEEN);
        figures.payouts = RootHeader.figure(header, index, RootHeader.PAYOUTS);
    }

    function _now() internal view returns (uint40) {
        return uint40(block.timestamp);
    }
}
