// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PositionsTree} from "../../../src/exit/PositionsTree.sol";
import {Ledger} from "./Ledger.sol";

/// Pledges and loans of the model's server. Collateral and debt are worth the same, there is no interest, and the index is 1.
abstract contract Lending is Ledger {
    uint256 internal constant HOUSE = 2;
    uint256 internal constant SLOTS = 7;

    /// @param amount of the debt and of the collateral; 0 where the slot is free
    struct Loan {
        uint256 user;
        uint256 collateralAsset;
        uint256 debtAsset;
        uint128 amount;
    }

    /// What claims after the end need of a root.
    struct Positions {
        PositionsTree.Pool[] pools;
        bytes32[16] leaves;
        uint128[3][3] pledged;
        Loan[7] loans;
    }

    uint128[3][3] internal pledged;
    uint128[3] internal cash;
    Loan[7] internal loans;

    function _sellPledges(uint256 u, uint256 amount) internal override returns (uint256 sold) {
        for (uint256 a = 0; a < 3 && sold < amount; ++a) {
            uint256 left = amount - sold;
            uint128 part = pledged[u][a] < left ? pledged[u][a] : uint128(left);
            pledged[u][a] -= part;
            pledged[HOUSE][a] += part;
            sold += part;
        }
    }

    function _lendingOf(uint256 a) internal view override returns (uint128 lending) {
        lending = cash[a];
        for (uint256 i = 0; i < SLOTS; ++i) {
            if (loans[i].collateralAsset == a) lending += loans[i].amount;
        }
    }

    function _positions() internal view override returns (bytes32 root, bytes32 pools, bytes memory kept_) {
        Positions memory all = Positions(_pools(), _leaves(), pledged, loans);
        root = sha256(abi.encodePacked(uint8(0x14), uint8(4), _nodeAt(all.leaves, 4, 0)));
        return (root, PositionsTree.hashPools(all.pools), abi.encode(all));
    }

    function _pools() private view returns (PositionsTree.Pool[] memory pools) {
        pools = new PositionsTree.Pool[](3);
        for (uint256 a = 0; a < 3; ++a) {
            uint128 shares = pledged[0][a] + pledged[1][a] + pledged[HOUSE][a];
            pools[a] = PositionsTree.Pool(assets[a], cash[a], shares, shares - cash[a], 1e27, new uint128[](3));
        }
        for (uint256 i = 0; i < SLOTS; ++i) {
            pools[loans[i].debtAsset].collateral[loans[i].collateralAsset] += loans[i].amount;
        }
    }

    /// Nine pledges, then the loans.
    function _leaves() private view returns (bytes32[16] memory leaves) {
        for (uint256 i = 0; i < 16; ++i) {
            leaves[i] = PositionsTree.hashEmpty();
            if (i < 9 && pledged[i / 3][i % 3] != 0) {
                leaves[i] = PositionsTree.hashPledge(_pledger(i / 3), _pledgeOf(i % 3, pledged[i / 3][i % 3]));
            } else if (i >= 9 && loans[i - 9].amount != 0) {
                leaves[i] = PositionsTree.hashOrder(users[loans[i - 9].user], _orderOf(i - 9, loans[i - 9]));
            }
        }
    }

    function _nodeAt(bytes32[16] memory leaves, uint256 height, uint256 place) private pure returns (bytes32) {
        if (height == 0) return leaves[place];
        return
            PositionsTree.hashNode(_nodeAt(leaves, height - 1, 2 * place), _nodeAt(leaves, height - 1, 2 * place + 1));
    }

    function _pathOf(bytes32[16] memory leaves, uint256 place) internal pure returns (bytes32[] memory path) {
        path = new bytes32[](4);
        for (uint256 height = 0; height < 4; ++height) {
            path[height] = _nodeAt(leaves, height, (place >> height) ^ 1);
        }
    }

    function _pledger(uint256 u) internal view returns (address) {
        return u == HOUSE ? payout : users[u];
    }

    function _pledgeOf(uint256 a, uint128 shares) internal view returns (PositionsTree.Pledge memory) {
        return PositionsTree.Pledge(0, assets[a], shares);
    }

    function _orderOf(uint256 slot, Loan memory loan) internal view returns (PositionsTree.Order memory) {
        return PositionsTree.Order(
            0,
            bytes16(uint128(slot + 1)),
            assets[loan.collateralAsset],
            loan.amount,
            assets[loan.debtAsset],
            loan.amount
        );
    }
}
