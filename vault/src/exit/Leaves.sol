// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExitVault} from "./IExitVault.sol";
import {RootHeader} from "./RootHeader.sol";
import {SumTree} from "./SumTree.sol";

/// @title The balance that a root gives an account
library Leaves {
    /// @notice free + (deposited − depositedSeen) − (paid − paidSeen), with the counters of now.
    /// @dev An account whose first deposit is later than the root's cursor may have no leaf. Without one, it gets its deposits
    /// less its payments, which is never more than a leaf would give.
    function amountUnder(
        bytes calldata header,
        IExitVault.Claim calldata claim,
        address account,
        IExitVault.Balance memory balance
    ) internal pure returns (uint256) {
        SumTree.Leaf memory leaf;
        if (claim.path.length != 0) {
            leaf = claim.leaf;
            _requireLeaf(header, claim, account, leaf);
        } else if (balance.firstDeposit <= RootHeader.cursorBlock(header)) {
            revert IExitVault.LeafNeeded(balance.firstDeposit);
        }
        // Sums of three and two numbers below 2^128.
        uint256 plus = uint256(leaf.free) + balance.deposited + leaf.paidSeen;
        uint256 minus = uint256(leaf.depositedSeen) + balance.paid;
        if (plus <= minus) revert IExitVault.NothingToPay();
        return plus - minus;
    }

    function _requireLeaf(
        bytes calldata header,
        IExitVault.Claim calldata claim,
        address account,
        SumTree.Leaf memory leaf
    ) private pure {
        if (claim.index >= RootHeader.assetCount(header)) revert IExitVault.WrongPath();
        bytes32 hash = SumTree.hashLeaf(account, claim.asset, leaf);
        bytes32 root = SumTree.rootOf(claim.asset, RootHeader.depth(header), hash, leaf.free, claim.place, claim.path);
        // The asset is hashed into leaf and root, so the index cannot name another one's root.
        if (root != RootHeader.usersRoot(header, claim.index)) revert IExitVault.WrongPath();
    }
}
