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

/// @title A header in calldata, and its hash by EIP-712
/// @notice Primary type `Header`, in the domain "Clearwell Vault", version "2", the chain and the vault. The digest is both
/// signed by the keys and stored as the header's hash.
/// @dev The vault takes a header as one row of 32-byte words: the 16 fields before `assets`, then the 11 fields of each asset,
/// each as EIP-712 encodes it. So hashing is a copy, and a word out of its type's range only has a hash that no key has signed.
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

    uint256 private constant HEAD_BYTES = 16 * 32;
    uint256 private constant ASSET_BYTES = 11 * 32;

    // Places of the fields of an asset.
    uint256 internal constant USERS = 2;
    uint256 internal constant LENDING = 3;
    uint256 internal constant PAYOUTS = 4;
    uint256 internal constant LOCKED = 6;
    uint256 internal constant DEPOSITED_SEEN = 7;
    uint256 internal constant PAID_SEEN = 8;
    uint256 internal constant EXITED_SEEN = 9;
    uint256 internal constant PAYOUT_PAID_SEEN = 10;

    /// @notice The bytes are no header.
    error WrongHeaderLength(uint256 length);

    /// @notice Computes the struct hash of EIP-712. Every header is hashed before a field of it counts.
    function hashStruct(bytes calldata header) internal pure returns (bytes32) {
        uint256 count = assetCount(header);
        bytes32[] memory assets = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            uint256 start = HEAD_BYTES + i * ASSET_BYTES;
            assets[i] = keccak256(abi.encodePacked(ASSET_TYPEHASH, header[start:start + ASSET_BYTES]));
        }
        bytes32 all = keccak256(abi.encodePacked(assets));
        return keccak256(abi.encodePacked(HEADER_TYPEHASH, header[:HEAD_BYTES], all));
    }

    function assetCount(bytes calldata header) internal pure returns (uint256) {
        uint256 length = header.length;
        if (length < HEAD_BYTES || (length - HEAD_BYTES) % ASSET_BYTES != 0) revert WrongHeaderLength(length);
        return (length - HEAD_BYTES) / ASSET_BYTES;
    }

    function number(bytes calldata header) internal pure returns (uint64) {
        return uint64(_word(header, 0));
    }

    function cursorBlock(bytes calldata header) internal pure returns (uint64) {
        return uint64(_word(header, 4));
    }

    function cursorTime(bytes calldata header) internal pure returns (uint40) {
        return uint40(_word(header, 6));
    }

    function positionsRoot(bytes calldata header) internal pure returns (bytes32) {
        return bytes32(_word(header, 7));
    }

    function pools(bytes calldata header) internal pure returns (bytes32) {
        return bytes32(_word(header, 8));
    }

    function depth(bytes calldata header) internal pure returns (uint8) {
        return uint8(_word(header, 13));
    }

    /// @param index below {assetCount}
    function token(bytes calldata header, uint256 index) internal pure returns (address) {
        return address(uint160(_word(header, 16 + 11 * index)));
    }

    /// @param index below {assetCount}
    function usersRoot(bytes calldata header, uint256 index) internal pure returns (bytes32) {
        return bytes32(_word(header, 17 + 11 * index));
    }

    /// @param index below {assetCount}
    /// @param field one of the places above
    function figure(bytes calldata header, uint256 index, uint256 field) internal pure returns (uint128) {
        return uint128(_word(header, 16 + 11 * index + field));
    }

    /// @notice Writes a header as the vault takes it.
    function encode(Header memory header) internal pure returns (bytes memory words) {
        bytes memory abiEncoded = abi.encode(header);
        // Left out: the offset of the struct, the offset of its array and the array's length.
        uint256 assetBytes = header.assets.length * ASSET_BYTES;
        words = new bytes(HEAD_BYTES + assetBytes);
        assembly ("memory-safe") {
            mcopy(add(words, 32), add(abiEncoded, 64), HEAD_BYTES)
            mcopy(add(words, add(32, HEAD_BYTES)), add(abiEncoded, add(128, HEAD_BYTES)), assetBytes)
        }
    }

    function _word(bytes calldata header, uint256 place) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(add(header.offset, shl(5, place)))
        }
    }
}
