// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Tree of the users' positions in lending
/// @notice A Merkle tree of SHA-256 without sums, and the hash of the pools' totals. Integers are big-endian.
///
/// ```
/// pledge = sha256(0x10 ‖ salt 32 ‖ account 20 ‖ pool asset 20 ‖ shares 16)
/// order  = sha256(0x11 ‖ salt 32 ‖ account 20 ‖ order id 16 ‖ collateral asset 20 ‖ collateral 16 ‖ debt asset 20 ‖ debt shares 16)
/// node   = sha256(0x12 ‖ left hash 32 ‖ right hash 32)
/// empty  = sha256(0x13)
/// root   = sha256(0x14 ‖ depth 1 ‖ top hash 32)
/// pools  = sha256(0x20 ‖ count 1 ‖ for each pool: asset 20 ‖ cash 16 ‖ shares 16 ‖ debt shares 16 ‖ index 16
///                                                 ‖ its collateral of each pool's asset, in the same order, 16 each)
/// ```
///
/// Places count as in {SumTree}. The depth is the length of the path: unlike a users tree, this one may grow.
library PositionsTree {
    /// @notice Most steps of a path. A tree of this depth has room for every position there will be.
    uint256 internal constant MAX_DEPTH = 40;

    /// @notice A pledge: shares of the pool of one asset.
    struct Pledge {
        bytes32 salt;
        address pool;
        uint128 shares;
    }

    /// @notice An open order. `collateral` is in base units; debt shares become debt by the pool's index.
    struct Order {
        bytes32 salt;
        bytes16 id;
        address collateralAsset;
        uint128 collateral;
        address debtAsset;
        uint128 debtShares;
    }

    /// @notice Totals of the lending pool of one asset.
    /// @param cash base units that are not lent
    /// @param shares of all pledges
    /// @param debtShares of all open orders
    /// @param indexE27 base units of debt for each debt share, at 10^27
    /// @param collateral of the pool's open orders by asset, in the order of the pools, in base units
    struct Pool {
        address asset;
        uint128 cash;
        uint128 shares;
        uint128 debtShares;
        uint128 indexE27;
        uint128[] collateral;
    }

    /// @notice A path is longer than any tree.
    error PathTooLong(uint256 length);

    /// @notice The place is outside the tree.
    error PlaceOutsideTree(uint256 place);

    /// @notice A pool must list its collateral of every pool's asset.
    error WrongCollateralCount(uint256 count, uint256 pools);

    function hashPledge(address account, Pledge memory pledge) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(uint8(0x10), pledge.salt, account, pledge.pool, pledge.shares));
    }

    function hashOrder(address account, Order memory order) internal pure returns (bytes32) {
        return sha256(
            abi.encodePacked(
                uint8(0x11),
                order.salt,
                account,
                order.id,
                order.collateralAsset,
                order.collateral,
                order.debtAsset,
                order.debtShares
            )
        );
    }

    function hashNode(bytes32 left, bytes32 right) internal pure returns (bytes32) {
        return sha256(abi.encodePacked(uint8(0x12), left, right));
    }

    function hashEmpty() internal pure returns (bytes32) {
        return sha256(hex"13");
    }

    /// @notice Computes the root that a leaf at a place leads to.
    /// @param path the siblings from the leaf to the top
    function rootOf(bytes32 hash, uint256 place, bytes32[] calldata path) internal pure returns (bytes32) {
        if (path.length > MAX_DEPTH) revert PathTooLong(path.length);
        if (place >> path.length != 0) revert PlaceOutsideTree(place);
        for (uint256 i = 0; i < path.length; ++i) {
            hash = (place >> i) & 1 == 0 ? hashNode(hash, path[i]) : hashNode(path[i], hash);
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        return sha256(abi.encodePacked(uint8(0x14), uint8(path.length), hash));
    }

    /// @notice Hashes the totals of all pools, as a header carries them.
    function hashPools(Pool[] memory pools) internal pure returns (bytes32) {
        // forge-lint: disable-next-line(unsafe-typecast)
        bytes memory all = abi.encodePacked(uint8(0x20), uint8(pools.length));
        for (uint256 i = 0; i < pools.length; ++i) {
            Pool memory pool = pools[i];
            if (pool.collateral.length != pools.length) {
                revert WrongCollateralCount(pool.collateral.length, pools.length);
            }
            all =
                bytes.concat(all, abi.encodePacked(pool.asset, pool.cash, pool.shares, pool.debtShares, pool.indexE27));
            for (uint256 j = 0; j < pools.length; ++j) {
                all = bytes.concat(all, abi.encodePacked(pool.collateral[j]));
            }
        }
        return sha256(all);
    }
}
