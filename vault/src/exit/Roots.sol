// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {RootHeader} from "./RootHeader.sol";
import {IVaultKeys} from "./IVaultKeys.sol";
import {VaultState} from "./VaultState.sol";

/// @title Roots: posting, dropping, and whether the vault holds what the newest one owes
abstract contract Roots is VaultState {
    /// @dev A number may skip this far. A false root can therefore not use the numbers up.
    uint256 private constant MAX_SKIP = 2 ** 40;

    /// @dev A header can be posted this long after its cursor's block, so none can be kept back.
    uint256 private constant POSTABLE = 2 hours;

    uint8 private constant MAX_DEPTH = 32;

    /// @notice The contract that pays lending after the end. Zero: no root may have money in lending.
    address public immutable settlement;

    constructor(Setup memory setup) VaultState(setup) {
        settlement = setup.settlement;
    }

    /// @notice Posts a header that a root key and a bookkeeper signed. Anyone may call. Never refused for a lack of money.
    /// @param rootSignature 65 bytes r, s, v of a root key over `hashHeader(header)`
    /// @param bookSignature the same of a bookkeeper
    function postRoot(bytes calldata header, bytes calldata rootSignature, bytes calldata bookSignature)
        external
        nonReentrant
    {
        _postRoot(header, rootSignature, bookSignature);
    }

    /// @notice Voids posted roots. Only while the vault is paused, and only roots that are frozen. For the owner.
    /// @param from the first root that goes
    /// @param to the last one
    /// @param left empty unless the newest root goes: then the newest one that is left, if there is any
    function dropRoots(RootRef calldata from, uint40 to, PostedHeader[] calldata left) external nonReentrant {
        _requireOwner();
        if (_closing.endedAt != 0) revert VaultClosed();
        _requirePosted(from);
        if (from.postedAt <= _frozenAfter()) revert RootNotFrozen(from.seq);
        uint40 newest = _newest.seq;
        if (to < from.seq || to > newest) revert RangeOutOfOrder(from.seq, to);
        for (uint256 seq = from.seq; seq <= to; ++seq) {
            delete _roots[seq];
        }
        if (to == newest) _fallBack(from.seq, left);
        emit RootsDropped(from.seq, to, _newest.number);
    }

    /// @notice Notes whether the vault holds less of an asset than it owes. Anyone may call.
    function noteShort(address asset) external nonReentrant {
        _requireListed(asset);
        _noteShort(asset);
    }

    // Reading

    /// @notice The EIP-712 digest that root keys and bookkeepers sign, which is also the header's hash.
    function hashHeader(bytes calldata header) external view returns (bytes32) {
        return _hashHeader(header);
    }

    /// @notice The hash of the root's {RootRef}, zero if it is dropped or never was.
    function rootAt(uint256 seq) external view returns (bytes32) {
        return _roots[seq];
    }

    function newestRoot() external view returns (Newest memory) {
        return _newest;
    }

    /// @notice Figures of an asset in the newest root.
    function figuresOf(address asset) external view returns (Figures memory) {
        return _figures[asset];
    }

    function totalsOf(address asset) external view returns (Totals memory) {
        return _totals[asset];
    }

    // Steps

    function _postRoot(bytes calldata header, bytes calldata rootSignature, bytes calldata bookSignature) internal {
        _requireRunning();
        bytes32 headerHash = _hashHeader(header);
        _requirePostable(header);
        if (!_isSignedBy(IVaultKeys.Role.RootKey, headerHash, rootSignature)) revert NotARootKey();
        if (!_isSignedBy(IVaultKeys.Role.Bookkeeper, headerHash, bookSignature)) revert NotABookkeeper();
        uint256[] memory holdings = _takeAllFigures(header);
        uint40 seq = ++_posts;
        _newest = Newest(RootHeader.number(header), RootHeader.cursorBlock(header), _now(), seq);
        _roots[seq] = _hashRef(RootRef(headerHash, _now(), seq));
        emit RootPosted(seq, RootHeader.number(header), headerHash, _now(), header, holdings);
    }

    function _requirePostable(bytes calldata header) private view {
        Newest memory newest = _newest;
        uint64 number = RootHeader.number(header);
        if (number <= newest.number || number - newest.number > MAX_SKIP) {
            revert NumberOutOfRange(number, newest.number);
        }
        uint40 cursorTime = RootHeader.cursorTime(header);
        if (cursorTime > block.timestamp || block.timestamp - cursorTime > POSTABLE) {
            revert CursorTimeOutOfRange(cursorTime);
        }
        uint8 depth = RootHeader.depth(header);
        if (depth == 0 || depth > MAX_DEPTH) revert DepthOutOfRange(depth);
        uint64 cursorBlock = RootHeader.cursorBlock(header);
        if (cursorBlock < newest.cursorBlock || cursorBlock > block.number) revert CursorBlockOutOfRange(cursorBlock);
    }

    function _takeAllFigures(bytes calldata header) private returns (uint256[] memory holdings) {
        address[] memory tokens = _assets();
        if (RootHeader.assetCount(header) != tokens.length) revert WrongAssets();
        holdings = new uint256[](tokens.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            if (RootHeader.token(header, i) != tokens[i]) revert WrongAssets();
            _takeFigures(tokens[i], header, i);
            holdings[i] = _noteShort(tokens[i]);
        }
    }

    function _takeFigures(address token, bytes calldata header, uint256 index) private {
        Figures memory last = _figures[token];
        Figures memory next = _figuresIn(header, index);
        Totals memory totals = _totals[token];
        uint128 lending = RootHeader.figure(header, index, RootHeader.LENDING);
        if (next.locked > uint256(next.owed - lending) + next.payouts) revert LockedMoreThanOwed(token);
        if (lending != 0 && settlement == address(0)) revert LendingIsClosed(token);
        _requireSeen(token, last.depositedSeen, next.depositedSeen, totals.deposited);
        _requireSeen(token, last.paidSeen, next.paidSeen, totals.paid);
        _requireSeen(token, last.exitedSeen, next.exitedSeen, totals.exited);
        _requireSeen(token, last.payoutPaidSeen, next.payoutPaidSeen, totals.payoutPaid);
        _setFigures(token, next);
    }

    function _requireSeen(address token, uint256 last, uint256 next, uint256 total) private pure {
        if (next < last || next > total) revert SeenOutOfRange(token);
    }

    function _requireOwner() internal view {
        if (msg.sender != keys.owner()) revert NotTheOwner(msg.sender);
    }

    /// @dev Keeps `shortSince`, which `_noteShort` decides.
    function _setFigures(address token, Figures memory figures) private {
        figures.shortSince = _figures[token].shortSince;
        _figures[token] = figures;
    }

    function _noteShort(address token) internal returns (uint256 holdings) {
        bool known;
        (holdings, known) = _tryBalanceOf(token);
        Figures memory figures = _figures[token];
        bool isShort = !known || _isShort(token, holdings, figures);
        if (isShort == (figures.shortSince != 0)) return holdings;
        uint40 since = isShort ? _now() : 0;
        _figures[token].shortSince = since;
        emit ShortNoted(token, since);
    }

    /// @dev Number and figures fall back to the newest root that is left, or to none.
    function _fallBack(uint256 dropped, PostedHeader[] calldata left) private {
        uint256 count;
        if (left.length == 0) {
            _requireDropped(1, dropped);
            delete _newest;
        } else {
            PostedHeader calldata root = left[0];
            _requirePosted(_refOf(root));
            if (root.seq >= dropped) revert RangeOutOfOrder(root.seq, 0);
            _requireDropped(root.seq + 1, dropped);
            _newest =
                Newest(RootHeader.number(root.header), RootHeader.cursorBlock(root.header), root.postedAt, root.seq);
            count = RootHeader.assetCount(root.header);
        }
        address[] memory tokens = _assets();
        for (uint256 i = 0; i < tokens.length; ++i) {
            Figures memory figures;
            // An asset that was listed after this root has no figures in it.
            if (i < count) figures = _figuresIn(left[0].header, i);
            _setFigures(tokens[i], figures);
            paidAtDrop[tokens[i]] = _totals[tokens[i]].paid - _totals[tokens[i]].payoutPaid;
            _noteShort(tokens[i]);
        }
    }
}
