// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

import {IExitVault} from "./IExitVault.sol";

/// @title Payments out of a contract that keeps books
library Transfers {
    using SafeERC20 for IERC20;

    /// @notice Pays exactly `amount`, or reverts. Callers have written their books and hold a reentrancy guard.
    function pay(address asset, address to, uint256 amount) internal {
        if (to == address(0) || to == address(this)) revert IExitVault.InvalidAccount(to);
        if (asset == address(0)) {
            // All gas goes along, for smart-contract wallets need it. The return data is not copied.
            if (!LowLevelCall.callNoReturn(to, amount, "")) revert IExitVault.NativeTransferFailed(to, amount);
            return;
        }
        uint256 balanceBefore = IERC20(asset).balanceOf(address(this));
        IERC20(asset).safeTransfer(to, amount);
        uint256 balanceAfter = IERC20(asset).balanceOf(address(this));
        // The books say that `amount` left, so exactly that must have left.
        if (balanceAfter > balanceBefore || balanceBefore - balanceAfter != amount) {
            revert IExitVault.UnexpectedBalanceChange(asset, balanceBefore, balanceAfter, amount);
        }
    }
}
