// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SumTree} from "../../src/exit/SumTree.sol";

/// Users' balances as a ledger keeps them, and the trees over them. Eight accounts, at the places 0 to 7 of a tree of any
/// depth from 3 on; every other place is empty.
library Books {
    uint256 internal constant ACCOUNTS = 8;

    struct Side {
        bytes32 hash;
        uint128 sum;
    }

    function sumOf(SumTree.Leaf[] memory leaves) internal pure returns (uint128 sum) {
        for (uint256 i = 0; i < leaves.length; ++i) {
            sum += leaves[i].free;
        }
    }

    function rootOf(address asset, address[] memory accounts, SumTree.Leaf[] memory leaves, uint8 depth)
        internal
        pure
        returns (bytes32)
    {
        Side[] memory level = _leaves(asset, accounts, leaves);
        Side memory empty = Side(SumTree.hashEmpty(), 0);
        for (uint256 i = 0; i < depth; ++i) {
            level = _above(level, empty);
            empty = _node(empty, empty);
        }
        return SumTree.hashRoot(asset, depth, level[0].hash, level[0].sum);
    }

    function pathOf(address asset, address[] memory accounts, SumTree.Leaf[] memory leaves, uint8 depth, uint256 place)
        internal
        pure
        returns (SumTree.Sibling[] memory path)
    {
        path = new SumTree.Sibling[](depth);
        Side[] memory level = _leaves(asset, accounts, leaves);
        Side memory empty = Side(SumTree.hashEmpty(), 0);
        for (uint256 i = 0; i < depth; ++i) {
            uint256 other = (place >> i) ^ 1;
            Side memory side = other < level.length ? level[other] : empty;
            path[i] = SumTree.Sibling(side.hash, side.sum);
            level = _above(level, empty);
            empty = _node(empty, empty);
        }
    }

    function _leaves(address asset, address[] memory accounts, SumTree.Leaf[] memory leaves)
        private
        pure
        returns (Side[] memory level)
    {
        level = new Side[](ACCOUNTS);
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            level[i] = i < accounts.length
                ? Side(SumTree.hashLeaf(accounts[i], asset, leaves[i]), leaves[i].free)
                : Side(SumTree.hashEmpty(), 0);
        }
    }

    function _above(Side[] memory level, Side memory empty) private pure returns (Side[] memory above) {
        above = new Side[]((level.length + 1) / 2);
        for (uint256 i = 0; i < above.length; ++i) {
            above[i] = _node(level[2 * i], 2 * i + 1 < level.length ? level[2 * i + 1] : empty);
        }
    }

    function _node(Side memory left, Side memory right) private pure returns (Side memory) {
        return Side(SumTree.hashNode(left.hash, left.sum, right.hash, right.sum), left.sum + right.sum);
    }
}
