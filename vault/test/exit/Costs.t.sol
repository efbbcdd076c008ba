// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ExitVault} from "../../src/exit/ExitVault.sol";
import {IExitVault} from "../../src/exit/IExitVault.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// What needs the compiler's optimizer: the only contract of tests that is compiled with it in `npm test`.
/// What a user's transaction costs, with its own 21,000 and its calldata: three assets, a tree of 20 steps. Each fails above 20 %
/// more than the figure beside it, which the vault's page repeats.
contract CostsTest is ExitFixture {
    address private constant BNB = address(0);

    bytes private firstDeposit;
    bytes private laterDeposit;
    bytes private root;
    bytes private voucherWithRoot;
    bytes private exitRequest;
    bytes private exitPayment;

    /// Everything is prepared here, so that each test's one call finds the storage cold.
    function setUp() public override {
        depth = 20;
        super.setUp();
        deposit(alice, address(usdt), 100 ether);
        deposit(bob, BNB, 50 ether);
        uint256 base = post();
        requestExit(alice);
        passWithRoots(8 days);
        lock(BNB, 2 ether);
        while (snapshots[base + 1].postedAt <= START + 6 days) ++base;
        Signed memory next = sign();
        IExitVault.Voucher memory voucher = voucherOf(bob, BNB, 1 ether);
        root = abi.encodeCall(vault.postRoot, (next.header, next.rootSignature, next.bookSignature));
        voucherWithRoot = abi.encodeCall(
            vault.withdrawWithRoot, (next.header, next.rootSignature, next.bookSignature, voucher, signVoucher(voucher))
        );
        firstDeposit = abi.encodeCall(vault.deposit, (BNB, 1 ether, keccak256("order")));
        laterDeposit = firstDeposit;
        exitRequest = abi.encodeCall(vault.requestExit, ());
        exitPayment = abi.encodeCall(vault.finishExit, (proofOf(base), claimOf(base, alice, address(usdt)), alice));
    }

    function test_firstDeposit() public {
        measure(carol, 1 ether, firstDeposit, 102_459);
    }

    function test_laterDeposit() public {
        measure(bob, 1 ether, laterDeposit, 85_038);
    }

    function test_postRoot() public {
        measure(stranger, 0, root, 218_936);
    }

    function test_withdrawWithRoot() public {
        measure(bob, 0, voucherWithRoot, 349_562);
    }

    function test_requestExit() public {
        measure(carol, 0, exitRequest, 53_306);
    }

    function test_finishExit() public {
        measure(alice, 0, exitPayment, 180_412);
    }

    function test_contractsAreWithinTheLimitsOfTheChain() public view {
        assertLe(address(vault).code.length, 24_576);
        assertLe(address(keys).code.length, 24_576);
        assertLe(address(claims).code.length, 24_576);
        assertLe(address(settlement).code.length, 24_576);
        // EIP-3860: what a transaction may create from, the constructor's inputs included.
        assertLe(abi.encodePacked(type(ExitVault).creationCode, abi.encode(setupOf(owner))).length, 49_152);
    }

    function measure(address account, uint256 value, bytes memory data, uint256 recorded) private {
        vm.prank(account);
        uint256 before = gasleft();
        (bool done,) = address(vault).call{value: value}(data);
        uint256 used = before - gasleft() + 21_000;
        assertTrue(done);
        for (uint256 i = 0; i < data.length; ++i) {
            used += data[i] == 0 ? 4 : 16;
        }
        emit log_named_uint("gas", used);
        assertLe(used, recorded * 12 / 10);
        // A figure that is far too high would hide the next rise.
        assertGe(used, recorded * 8 / 10);
    }
}
