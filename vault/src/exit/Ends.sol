// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Exits} from "./Exits.sol";
import {Transfers} from "./Transfers.sol";

/// @title The end: no roots for 30 days, or an asset short for 30 days
/// @notice Afterwards the money goes to {Claims}, which pays every account under the last root.
abstract contract Ends is Exits {
    uint256 private constant SILENCE = 30 days;
    uint256 private constant END_WAIT = 24 hours;

    uint256 private immutable _deployedAt;

    /// @notice The contract that pays claims after the end.
    address payable public immutable claims;

    constructor(address payable claims_) {
        claims = claims_;
        _deployedAt = block.timestamp;
    }

    /// @notice Begins the end. Anyone may call: 30 days after the newest root was posted, or without any root 30 days after
    /// deployment if the vault holds some of `asset`, or when `asset` has been short for 30 days.
    function startEnd(address asset) external nonReentrant {
        _requireOpen();
        _requireListed(asset);
        if (!_isSilent(asset)) {
            _noteShort(asset);
            uint256 since = _figures[asset].shortSince;
            if (since == 0 || block.timestamp < since + SILENCE) revert NoReasonToEnd();
        }
        _closing.endingAt = _now();
        emit EndStarted(_now());
    }

    /// @notice Fixes the newest root as the base of all claims. Anyone may call, 24 hours after `startEnd`.
    function end() external nonReentrant {
        uint256 endingAt = _closing.endingAt;
        if (endingAt == 0) revert VaultNotEnded();
        if (_closing.endedAt != 0) revert VaultClosed();
        if (block.timestamp < endingAt + END_WAIT) revert TooEarly(endingAt + END_WAIT);
        if (_newest.postedAt > _frozenAfter()) revert RootFrozen(_newest.seq);
        _closing.endedAt = _now();
        _closing.base = _newest.seq;
        emit Ended(_now(), _newest.seq);
    }

    /// @notice Sends all that the vault holds of an asset to {Claims}, which alone may call, after the end.
    function handOver(address asset) external nonReentrant {
        if (msg.sender != claims) revert InvalidAccount(msg.sender);
        if (_closing.endedAt == 0) revert VaultNotEnded();
        uint256 held = _balanceOf(asset);
        if (held != 0) Transfers.pay(asset, claims, held);
    }

    // Reading

    function closing() external view returns (Closing memory) {
        return _closing;
    }

    // Steps

    function _isSilent(address asset) private view returns (bool) {
        if (_newest.seq != 0) return block.timestamp >= _newest.postedAt + SILENCE;
        return block.timestamp >= _deployedAt + SILENCE && _balanceOf(asset) != 0;
    }
}
