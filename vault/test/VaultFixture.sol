// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {ClearwellVault} from "../src/ClearwellVault.sol";
import {IClearwellVault} from "../src/IClearwellVault.sol";
import {TestToken} from "../src/local/TestToken.sol";

/// A vault with its roles, a native coin and a token that it accepts, and two users who hold both.
abstract contract VaultFixture is Test {
    address internal constant NATIVE = address(0);
    bytes32 internal constant ORDER = keccak256("order 1");

    // The start of a four-hour slot in 2026, so that tests can say where in a slot they are.
    uint256 internal constant START = 1_767_225_600;

    uint256 internal constant CAP = 10 ether;
    uint256 internal constant DAY_LIMIT = 25 ether;

    uint256 internal constant SIGNER_KEY = 0x5167;
    address internal signer = vm.addr(SIGNER_KEY);
    address internal owner = makeAddr("owner");
    address internal guardian = makeAddr("guardian");
    address internal alice;
    uint256 internal aliceKey;
    address internal bob = makeAddr("bob");
    address internal stranger = makeAddr("stranger");

    ClearwellVault internal vault;
    TestToken internal token;

    function setUp() public virtual {
        vm.warp(START);
        (alice, aliceKey) = makeAddrAndKey("alice");

        vault = new ClearwellVault(owner, signer, guardian);
        token = new TestToken("Play dollar", "USDT", 18, address(this));
        setLimits(NATIVE, CAP, DAY_LIMIT);
        setLimits(address(token), CAP, DAY_LIMIT);

        vm.deal(alice, 1_000 ether);
        vm.deal(bob, 1_000 ether);
        token.mint(alice, 1_000 ether);
        token.mint(bob, 1_000 ether);
    }

    function setLimits(address asset, uint256 perVoucher, uint256 perDay) internal {
        vm.prank(owner);
        vault.setLimits(asset, perVoucher, perDay);
    }

    /// Fills the vault with both assets, so that a withdrawal fails for no want of money.
    function fund(uint256 amount) internal {
        vm.startPrank(alice);
        vault.deposit{value: amount}(NATIVE, amount, ORDER);
        token.approve(address(vault), amount);
        vault.deposit(address(token), amount, ORDER);
        vm.stopPrank();
    }

    function voucherFor(address account, address asset, uint256 amount, uint256 nonce)
        internal
        view
        returns (IClearwellVault.Voucher memory)
    {
        return IClearwellVault.Voucher(account, asset, amount, nonce, vm.getBlockTimestamp() + 10 minutes);
    }

    function sign(IClearwellVault.Voucher memory voucher) internal view returns (bytes memory) {
        return signWith(SIGNER_KEY, voucher);
    }

    function signWith(uint256 key, IClearwellVault.Voucher memory voucher) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, vault.hashVoucher(voucher));
        return abi.encodePacked(r, s, v);
    }

    function withdraw(address account, address asset, uint256 amount, uint256 nonce) internal {
        IClearwellVault.Voucher memory voucher = voucherFor(account, asset, amount, nonce);
        vault.withdraw(voucher, sign(voucher));
    }

    /// Submits the voucher and expects exactly this refusal.
    function refuseWithdrawal(IClearwellVault.Voucher memory voucher, bytes memory signature, bytes memory refusal)
        internal
    {
        vm.expectRevert(refusal);
        vault.withdraw(voucher, signature);
    }
}
