// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {Leaves} from "./Leaves.sol";
import {Payments} from "./Payments.sol";
import {RootHeader} from "./RootHeader.sol";
import {Transfers} from "./Transfers.sol";

/// @title Exits: an account leaves with its balance under a posted root, seven days after it asked
/// @notice No key, limit or pause can refuse an exit. A pause can delay one by at most 7 days.
abstract contract Exits is Payments {
    using SafeCast for uint256;

    /// @notice From the request to the payment.
    uint256 public constant EXIT_WAIT = 7 days;

    /// @notice From the request to the last root that can be its base.
    uint256 public constant EXIT_CUT = 6 days;

    /// @notice Asks for an exit of the caller. Until it is cancelled, vouchers and deposits of the account are refused.
    function requestExit() external nonReentrant {
        _requireOpen();
        Account storage account = _accounts[msg.sender];
        if (account.exitAt != 0) revert ExitOpen(msg.sender);
        account.exitAt = _now();
        emit ExitRequested(msg.sender, _now());
    }

    /// @notice Reopens the caller's account.
    function cancelExit() external nonReentrant {
        if (_accounts[msg.sender].exitAt == 0) revert NoExitOpen(msg.sender);
        _accounts[msg.sender].exitAt = 0;
        emit ExitCancelled(msg.sender);
    }

    /// @notice Pays the caller's balance of one asset, seven days after the request or later. Works while paused.
    /// @param to receives the money
    function finishExit(ExitProof calldata proof, Claim calldata claim, address to) external nonReentrant {
        Account storage account = _accounts[msg.sender];
        if (_closing.endedAt != 0) revert VaultClosed();
        uint256 exitAt = account.exitAt;
        if (exitAt == 0) revert NoExitOpen(msg.sender);
        if (block.timestamp < exitAt + EXIT_WAIT) revert ExitNotReady(exitAt + EXIT_WAIT);

        PostedHeader calldata base = proof.base[0];
        _requireLastUpTo(exitAt + EXIT_CUT, _refOf(base), proof.next);
        base = _baseOf(account, proof.base);
        if (base.seq < account.floor) revert RootBeforeFloor(base.seq, account.floor);
        if (base.postedAt > _frozenAfter()) revert RootFrozen(base.seq);
        _requireMoneyForExit(proof, claim.asset);

        Balance storage balance = _balances[msg.sender][claim.asset];
        uint256 amount = Leaves.amountUnder(base.header, claim, msg.sender, balance);
        balance.paid = (balance.paid + amount).toUint112();
        _totals[claim.asset].exited += amount.toUint128();
        (account.lastBase, account.lastBlock) = (base.seq, uint40(block.number));
        emit Exited(msg.sender, claim.asset, amount, to, base.seq);
        Transfers.pay(claim.asset, to, amount);
    }

    /// @dev A root that does not know the account's last exit may hold the same money in another asset. Then the base is
    /// again the root of that exit.
    function _baseOf(Account storage account, PostedHeader[] calldata roots)
        private
        view
        returns (PostedHeader calldata)
    {
        if (account.lastBlock <= RootHeader.cursorBlock(roots[0].header) || roots[0].seq == account.lastBase) {
            return roots[0];
        }
        if (roots.length < 2 || roots[1].seq != account.lastBase) revert EarlierExitUnknown(account.lastBase);
        _requirePosted(_refOf(roots[1]));
        return roots[1];
    }

    /// @dev After a move to the successor, exits that were open are paid as far as the vault holds money.
    function _requireMoneyForExit(ExitProof calldata proof, address asset) private view {
        if (_closing.movedAt != 0) return;
        uint256 frozenAfter = _frozenAfter();
        if (_newest.postedAt <= frozenAfter) {
            _requireNotShort(asset, _balanceOf(asset), _figures[asset]);
            return;
        }
        // A frozen root may be false, so it must not make the asset look short.
        PostedHeader calldata unfrozen = proof.unfrozen[0];
        _requireLastUpTo(frozenAfter, _refOf(unfrozen), proof.unfrozenNext);
        _requireNotShort(asset, _balanceOf(asset), _figuresFor(unfrozen.header, asset));
    }

    function _figuresFor(bytes calldata header, address asset) private pure returns (Figures memory figures) {
        for (uint256 i = 0; i < RootHeader.assetCount(header); ++i) {
            if (RootHeader.token(header, i) == asset) return _figuresIn(header, i);
        }
    }
}
