// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {PositionsTree} from "../../src/exit/PositionsTree.sol";
import {AssetFigures, Header, RootHeader} from "../../src/exit/RootHeader.sol";
import {SumTree} from "../../src/exit/SumTree.sol";

/// The libraries take paths and headers from calldata, so the tests call them through this contract.
contract Hasher {
    function sumRoot(
        address asset,
        uint8 depth,
        bytes32 hash,
        uint128 sum,
        uint256 place,
        SumTree.Sibling[] calldata path
    ) external pure returns (bytes32) {
        return SumTree.rootOf(asset, depth, hash, sum, place, path);
    }

    function positionsRoot(bytes32 hash, uint256 place, bytes32[] calldata path) external pure returns (bytes32) {
        return PositionsTree.rootOf(hash, place, path);
    }

    function headerStruct(bytes calldata header) external pure returns (bytes32) {
        return RootHeader.hashStruct(header);
    }
}

/// `vectors.json` was computed by other code (node:crypto and viem). The trees of the server are compared with it too.
contract VectorsTest is Test {
    string private json;
    Hasher private hasher;

    function setUp() public {
        json = vm.readFile("test/exit/vectors.json");
        hasher = new Hasher();
    }

    function test_leavesLeadToTheRoot() public view {
        assertEq(SumTree.hashEmpty(), bytes32Of(".users.empty"));
        bytes32[2] memory roots;
        for (uint256 i = 0; i < 2; ++i) {
            string memory where = i == 0 ? ".users.leaves[0]" : ".users.leaves[1]";
            (bytes32 hash, uint128 sum, address asset) = leafAt(where);
            roots[i] = hasher.sumRoot(
                asset, 3, hash, sum, numberOf(string.concat(where, ".place")), pathAt(string.concat(where, ".path"), 3)
            );
        }
        assertEq(roots[0], bytes32Of(".users.root"));
        assertEq(roots[1], bytes32Of(".users.root"));
    }

    function test_leafOfADeepTreeLeadsToItsRoot() public view {
        (bytes32 hash, uint128 sum, address asset) = leafAt(".users.leaves[0]");
        SumTree.Sibling[] memory path = pathAt(".users.deep.path", 20);
        bytes32 root = hasher.sumRoot(asset, 20, hash, sum, numberOf(".users.deep.place"), path);
        assertEq(root, bytes32Of(".users.deep.root"));
    }

    function test_changedPathLeadsElsewhereOrIsRefused() public {
        (bytes32 hash, uint128 sum, address asset) = leafAt(".users.leaves[0]");
        SumTree.Sibling[] memory path = pathAt(".users.leaves[0].path", 3);
        bytes32 root = bytes32Of(".users.root");

        assertNotEq(hasher.sumRoot(asset, 3, hash, sum + 1, 1, path), root);
        assertNotEq(hasher.sumRoot(address(0), 3, hash, sum, 1, path), root);
        assertNotEq(hasher.sumRoot(asset, 3, hash, sum, 3, path), root);
        path[2].sum += 1;
        assertNotEq(hasher.sumRoot(asset, 3, hash, sum, 1, path), root);

        path[2].sum = type(uint128).max;
        vm.expectRevert(SumTree.SumOverflow.selector);
        hasher.sumRoot(asset, 3, hash, sum, 1, path);
        vm.expectRevert(abi.encodeWithSelector(SumTree.WrongPathLength.selector, 3, 4));
        hasher.sumRoot(asset, 4, hash, sum, 1, path);
        vm.expectRevert(abi.encodeWithSelector(SumTree.PlaceOutsideTree.selector, 9));
        hasher.sumRoot(asset, 3, hash, sum, 9, path);
    }

    function test_positionsLeadToTheRoot() public view {
        assertEq(PositionsTree.hashEmpty(), bytes32Of(".positions.empty"));
        bytes32 pledge = PositionsTree.hashPledge(
            addressOf(".positions.pledge.account"),
            PositionsTree.Pledge(
                bytes32Of(".positions.pledge.salt"),
                addressOf(".positions.pledge.pool"),
                uint128(numberOf(".positions.pledge.shares"))
            )
        );
        bytes32 order = PositionsTree.hashOrder(
            addressOf(".positions.order.account"),
            PositionsTree.Order(
                bytes32Of(".positions.order.salt"),
                bytes16(vm.parseJsonBytes(json, ".positions.order.id")),
                addressOf(".positions.order.collateralAsset"),
                uint128(numberOf(".positions.order.collateral")),
                addressOf(".positions.order.debtAsset"),
                uint128(numberOf(".positions.order.debtShares"))
            )
        );
        assertEq(pledge, bytes32Of(".positions.pledge.hash"));
        assertEq(order, bytes32Of(".positions.order.hash"));
        bytes32 root = bytes32Of(".positions.root");
        assertEq(
            hasher.positionsRoot(pledge, 0, vm.parseJsonBytes32Array(json, ".positions.pledge.path")), root, "pledge"
        );
        assertEq(hasher.positionsRoot(order, 3, vm.parseJsonBytes32Array(json, ".positions.order.path")), root, "order");
    }

    function test_poolsHash() public view {
        PositionsTree.Pool[] memory pools = new PositionsTree.Pool[](2);
        for (uint256 i = 0; i < 2; ++i) {
            string memory where = i == 0 ? ".pools.list[0]" : ".pools.list[1]";
            uint256[] memory collateral = vm.parseJsonUintArray(json, string.concat(where, ".collateral"));
            pools[i] = PositionsTree.Pool({
                asset: addressOf(string.concat(where, ".asset")),
                cash: uint128(numberOf(string.concat(where, ".cash"))),
                shares: uint128(numberOf(string.concat(where, ".shares"))),
                debtShares: uint128(numberOf(string.concat(where, ".debtShares"))),
                indexE27: uint128(numberOf(string.concat(where, ".indexE27"))),
                collateral: new uint128[](2)
            });
            (pools[i].collateral[0], pools[i].collateral[1]) = (uint128(collateral[0]), uint128(collateral[1]));
        }
        assertEq(PositionsTree.hashPools(pools), bytes32Of(".pools.hash"));
    }

    function test_headerHash() public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(vm.parseJsonString(json, ".domain.name"))),
                keccak256(bytes(vm.parseJsonString(json, ".domain.version"))),
                vm.parseJsonUint(json, ".domain.chainId"),
                addressOf(".domain.verifyingContract")
            )
        );
        bytes32 hash = MessageHashUtils.toTypedDataHash(domain, hasher.headerStruct(RootHeader.encode(header())));
        assertEq(hash, bytes32Of(".header.hash"));
    }

    function header() private view returns (Header memory h) {
        h.number = uint64(numberOf(".header.number"));
        h.previous = bytes32Of(".header.previous");
        h.ledgerSeq = uint64(numberOf(".header.ledgerSeq"));
        h.entryHash = bytes32Of(".header.entryHash");
        h.cursorBlock = uint64(numberOf(".header.cursorBlock"));
        h.cursorHash = bytes32Of(".header.cursorHash");
        h.cursorTime = uint40(numberOf(".header.cursorTime"));
        h.positionsRoot = bytes32Of(".header.positionsRoot");
        h.pools = bytes32Of(".header.pools");
        h.rules = bytes32Of(".header.rules");
        h.boxDay = uint32(numberOf(".header.boxDay"));
        h.boxRoot = bytes32Of(".header.boxRoot");
        h.dataHash = bytes32Of(".header.dataHash");
        h.depth = uint8(numberOf(".header.depth"));
        h.rtRoot = bytes32Of(".header.rtRoot");
        h.rtUsers = uint128(numberOf(".header.rtUsers"));
        h.assets = new AssetFigures[](2);
        h.assets[0] = assetAt(".header.assets[0]");
        h.assets[1] = assetAt(".header.assets[1]");
    }

    function assetAt(string memory where) private view returns (AssetFigures memory figures) {
        figures.token = addressOf(string.concat(where, ".token"));
        figures.root = bytes32Of(string.concat(where, ".root"));
        figures.users = uint128(numberOf(string.concat(where, ".users")));
        figures.lending = uint128(numberOf(string.concat(where, ".lending")));
        figures.payouts = uint128(numberOf(string.concat(where, ".payouts")));
        figures.house = uint128(numberOf(string.concat(where, ".house")));
        figures.locked = uint128(numberOf(string.concat(where, ".locked")));
        figures.depositedSeen = uint128(numberOf(string.concat(where, ".depositedSeen")));
        figures.paidSeen = uint128(numberOf(string.concat(where, ".paidSeen")));
        figures.exitedSeen = uint128(numberOf(string.concat(where, ".exitedSeen")));
        figures.payoutPaidSeen = uint128(numberOf(string.concat(where, ".payoutPaidSeen")));
    }

    function leafAt(string memory where) private view returns (bytes32 hash, uint128 sum, address asset) {
        sum = uint128(numberOf(string.concat(where, ".free")));
        asset = addressOf(string.concat(where, ".asset"));
        hash = SumTree.hashLeaf(
            addressOf(string.concat(where, ".account")),
            asset,
            SumTree.Leaf(
                bytes32Of(string.concat(where, ".salt")),
                sum,
                uint128(numberOf(string.concat(where, ".depositedSeen"))),
                uint128(numberOf(string.concat(where, ".paidSeen")))
            )
        );
        assertEq(hash, bytes32Of(string.concat(where, ".hash")), "leaf");
    }

    function pathAt(string memory where, uint256 length) private view returns (SumTree.Sibling[] memory path) {
        path = new SumTree.Sibling[](length);
        for (uint256 i = 0; i < length; ++i) {
            string memory step = string.concat(where, "[", vm.toString(i), "]");
            path[i] = SumTree.Sibling(
                bytes32Of(string.concat(step, ".hash")), uint128(numberOf(string.concat(step, ".sum")))
            );
        }
    }

    function numberOf(string memory key) private view returns (uint256) {
        return vm.parseJsonUint(json, key);
    }

    function bytes32Of(string memory key) private view returns (bytes32) {
        return vm.parseJsonBytes32(json, key);
    }

    function addressOf(string memory key) private view returns (address) {
        return vm.parseJsonAddress(json, key);
    }
}
