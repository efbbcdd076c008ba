// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Tree of the users' balances of one asset
/// @notice A Merkle tree of SHA-256 whose nodes contain the sums of both children. Integers are big-endian.
///
/// ```
/// leaf  = sha256(0x00 ‖ salt 32 ‖ account 20 ‖ asset 20 ‖ free 16 ‖ depositedSeen 16 ‖ paidSeen 16)   sum = free
/// node  = sha256(0x01 ‖ left hash 32 ‖ left sum 16 ‖ right hash 32 ‖ right sum 16)
/// empty = sha256(0x02)                                                                                sum = 0
/// root  = sha256(0x03 ‖ asset 20 ‖ depth 1 ‖ top hash 32 ‖ top sum 16)
/// ```
///
/// An empty place is the leaf `empty`; above it are ordinary nodes. A place counts from 0, and its lowest bit is the step
/// at the leaf: 0 for the left child, 1 for the right one.
library SumTree {
    /// @notice A user's balance of one asset in a root. Amounts are base units of the asset.
    /// @param salt 32 random bytes of the account, which hide the balance
    /// @param free available and locked amounts
    /// @param depositedSeen the vault's deposits of this account and asset that the ledger has booked
    /// @param paidSeen the vault's payments to this account of this asset that the ledger has booked
    struct Leaf {
        bytes32 salt;
        uint128 free;
        uint128 depositedSeen;
        uint128 paidSeen;
    }

    /// @notice The other child at one step of a path.
    struct Sibling {
        bytes32 hash;
        uint128 sum;
    }

    /// @notice Two sums of a path are more than 128 bits can hold.
    error SumOverflow();

    /// @notice A path has another length than the depth of its tree.
    error WrongPathLength(uint256 length, uint256 depth);

    /// @notice The place is outside the tree.
    error PlaceOutsideTree(uint256 place);

    function hashLeaf(address account, address asset, Leaf memory leaf) internal pure returns (bytes32) {
        return
            sha256(abi.encodePacked(uint8(0), leaf.salt, account, asset, leaf.free, leaf.depositedSeen, leaf.paidSeen));
    }

    function hashNode(bytes32 left, uint128 leftSum, bytes32 right, uint128 rightSum) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(uint8(1), left, leftSum, right, rightSum));
    }

    function hashEmpty() internal pure returns (bytes32) {
        return sha256(hex"02");
    }

    function hashRoot(address asset, uint8 depth, bytes32 top, uint128 topSum) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(uint8(3), asset, depth, top, topSum));
    }

    /// @notice Computes the root that a leaf at a place leads to.
    /// @param hash the leaf's hash
    /// @param sum the leaf's sum
    /// @param path the siblings from the leaf to the top, exactly `depth` of them
    function rootOf(address asset, uint8 depth, bytes32 hash, uint128 sum, uint256 place, Sibling[] calldata path)
        internal
        pure
        returns (bytes32)
    {
        if (path.length != depth) revert WrongPathLength(path.length, depth);
        if (place >> depth != 0) revert PlaceOutsideTree(place);
        for (uint256 i = 0; i < path.length; ++i) {
            Sibling calldata other = path[i];
            uint128 otherSum = other.sum;
            hash = (place >> i) & 1 == 0
                ? hashNode(hash, sum, other.hash, otherSum)
                : hashNode(other.hash, otherSum, hash, sum);
            uint256 both = uint256(sum) + otherSum;
            if (both > type(uint128).max) revert SumOverflow();
            // forge-lint: disable-next-line(unsafe-typecast)
            sum = uint128(both);
        }
        return hashRoot(asset, depth, hash, sum);
    }
}
