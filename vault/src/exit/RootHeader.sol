// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The head of the books at one batch: a root key and a bookkeeper sign it, and the vault keeps its hash.
/// @param number the number of the committed batch; rises, may skip
/// @param previous hash of the last header that the ledger recorded
/// @param ledgerSeq number of the last entry
/// @param entryHash hash of the last entry
/// @param cursorBlock the last block whose events the ledger has booked
/// @param cursorHash hash of that block
/// @param cursorTime its time, in seconds since 1970
/// @param positionsRoot root of the {PositionsTree}
/// @param pools hash of the lending pools' totals, see {PositionsTree}
/// @param rules hash of the rules and of the money parameters
/// @param boxDay last closed day of boxes
/// @param boxRoot its root
/// @param dataHash hash chain of the proof data up to here
/// @param depth steps of every users tree, 1 to 32
/// @param rtRoot root of the RT tree, which the vault does not read
/// @param rtUsers sum of the RT tree
/// @param assets the vault's assets in its order
struct Header {
    uint64 number;
    bytes32 previous;
    uint64 ledgerSeq;
    bytes32 entryHash;
    uint64 cursorBlock;
    bytes32 cursorHash;
    uint40 cursorTime;
    bytes32 positionsRoot;
    bytes32 pools;
    bytes32 rules;
    uint32 boxDay;
    bytes32 boxRoot;
    bytes32 dataHash;
    uint8 depth;
    bytes32 rtRoot;
    uint128 rtUsers;
    AssetFigures[] assets;
}

/// @notice What the ledger owes in one asset, in base units. `users`, `lending`, `payouts` and `house` add up to it.
/// @param token the asset, zero for the native coin
/// @param root root of the users tree, see {SumTree}
/// @param users sum of the users tree
/// @param lending cash of the lending pool and collateral
/// @param payouts amounts locked for transfers out of the treasury
/// @param house the operator's own money
/// @param locked locked amounts of all open withdrawals, users' and treasury's
/// @param depositedSeen the vault's total of deposits as booked at the cursor
/// @param paidSeen the vault's total of payments by voucher as booked at the cursor
/// @param exitedSeen the vault's total of exits as booked at the cursor
/// @param payoutPaidSeen payments to the operator's payout address, a part of `paidSeen`
struct AssetFigures {
    address token;
    bytes32 root;
    uint128 users;
    uint128 lending;
    uint128 payouts;
    uint128 house;
    uint128 locked;
    uint128 depositedSeen;
    uint128 paidSeen;
    uint128 exitedSeen;
    uint128 payoutPaidSeen;
}

/// @title Hash of a header by EIP-712
/// @notice Primary type `Header`, in the domain "Clearwell Vault", version "2", the chain and the vault. The digest is both
/// signed by the keys and stored as the header's hash.
library RootHeader {
    bytes internal constant ASSET_TYPE = "AssetFigures(address token,bytes32 root,uint128 users,uint128 lending,"
        "uint128 payouts,uint128 house,uint128 locked,uint128 depositedSeen,uint128 paidSeen,uint128 exitedSeen,"
        "uint128 payoutPaidSeen)";

    bytes32 internal constant ASSET_TYPEHASH = keccak256(ASSET_TYPE);

    bytes32 internal constant HEADER_TYPEHASH = keccak256(
        bytes.concat(
            "Header(uint64 number,bytes32 previous,uint64 ledgerSeq,bytes32 entryHash,uint64 cursorBlock,"
            "bytes32 cursorHash,uint40 cursorTime,bytes32 positionsRoot,bytes32 pools,bytes32 rules,uint32 boxDay,"
            "bytes32 boxRoot,bytes32 dataHash,uint8 depth,bytes32 rtRoot,uint128 rtUsers,AssetFigures[] assets)",
            ASSET_TYPE
        )
    );

    /// @notice Computes the struct hash of EIP-712.
    function hashStruct(Header calldata header) internal pure returns (bytes32) {
        bytes32[] memory assets = new bytes32[](header.assets.length);
        for (uint256 i = 0; i < assets.length; ++i) {
            assets[i] = keccak256(abi.encode(ASSET_TYPEHASH, header.assets[i]));
        }
        // Two halves, because the compiler cannot encode so many fields in one go.
        bytes memory first = abi.encode(
            HEADER_TYPEHASH,
            header.number,
            header.previous,
            header.ledgerSeq,
            header.entryHash,
            header.cursorBlock,
            header.cursorHash,
            header.cursorTime,
            header.positionsRoot
        );
        bytes memory second = abi.encode(
            header.pools,
            header.rules,
            header.boxDay,
            header.boxRoot,
            header.dataHash,
            header.depth,
            header.rtRoot,
            header.rtUsers,
            keccak256(abi.encodePacked(assets))
        );
        return keccak256(bytes.concat(first, second));
    }
}
