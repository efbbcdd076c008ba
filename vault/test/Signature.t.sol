// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ClearwellVault} from "../src/ClearwellVault.sol";
import {IClearwellVault} from "../src/IClearwellVault.sol";
import {VaultFixture} from "./VaultFixture.sol";

contract SignatureTest is VaultFixture {
    uint256 private constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    function setUp() public override {
        super.setUp();
        fund(100 ether);
    }

    /// The digest and the signature below come from viem 2.57.1 (`hashTypedData` and `signTypedData` with the domain
    /// and types of abi/withdrawal-typed-data.ts), not from this contract.
    function test_digestAndSignatureAreThoseOfViem() public {
        vm.chainId(56);
        address where = 0xC1EA12E1100000000000000000000000000000Ee;
        deployCodeTo("ClearwellVault.sol:ClearwellVault", abi.encode(owner, signer, guardian), where);
        ClearwellVault there = ClearwellVault(payable(where));

        address asset = 0x55d398326f99059fF775485246999027B3197955;
        IClearwellVault.Voucher memory voucher = IClearwellVault.Voucher({
            account: 0x00000000000000000000000000000000000A11cE,
            asset: asset,
            amount: 1_234_567_890_123_456_789,
            nonce: 42,
            deadline: 1_800_000_000
        });
        assertEq(there.hashVoucher(voucher), 0x48e9561389ff4d59d1051004cd4b07c9c241fe87d8da3cf623632ed95db069a2);

        vm.etch(asset, address(token).code);
        deal(asset, where, 2 ether);
        vm.prank(owner);
        there.setLimits(asset, 2 ether, 2 ether);
        there.withdraw(
            voucher,
            hex"e2bb844bd35d5837687068d7c4542e167aa0537eca5010573fc2557adbc6b9fd23a30e98acc875e67a57f77544c73ecaf1f212f15cf47fae042433bf94b18d421b"
        );
        assertEq(TokenBalance(asset).balanceOf(voucher.account), 1_234_567_890_123_456_789);
    }

    function test_domainIsReadable() public view {
        (, string memory name, string memory version, uint256 chainId, address where,,) = vault.eip712Domain();
        assertEq(name, "Clearwell Vault");
        assertEq(version, "1");
        assertEq(chainId, 31337);
        assertEq(where, address(vault));
    }

    function testFuzz_onlyTheSignersKeyPays(uint256 key) public {
        key = bound(key, 1, CURVE_ORDER - 1);
        vm.assume(key != SIGNER_KEY);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        refuseWithdrawal(
            voucher,
            signWith(key, voucher),
            abi.encodeWithSelector(IClearwellVault.NotSignedBySigner.selector, vm.addr(key))
        );
    }

    function test_everyFieldIsSigned() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        bytes memory signature = sign(voucher);

        IClearwellVault.Voucher memory changed = voucherFor(alice, NATIVE, 1 ether, 1);
        refuseAsForged(changed, signature);
        changed = voucherFor(bob, address(token), 1 ether, 1);
        refuseAsForged(changed, signature);
        changed = voucherFor(bob, NATIVE, 1 ether + 1, 1);
        refuseAsForged(changed, signature);
        changed = voucherFor(bob, NATIVE, 1 ether, 2);
        refuseAsForged(changed, signature);
        changed = voucherFor(bob, NATIVE, 1 ether, 1);
        ++changed.deadline;
        refuseAsForged(changed, signature);

        vault.withdraw(voucher, signature);
    }

    function test_signatureForAnotherVaultDoesNotPay() public {
        ClearwellVault other = new ClearwellVault(owner, signer, guardian);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, other.hashVoucher(voucher));
        refuseAsForged(voucher, abi.encodePacked(r, s, v));
    }

    function test_signatureForAnotherChainDoesNotPay() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        bytes memory signature = sign(voucher);
        // The chain splits, and the vault finds itself on the side with the new id.
        vm.chainId(56);
        refuseAsForged(voucher, signature);
        vm.chainId(31337);
        vault.withdraw(voucher, signature);
    }

    function test_personalMessageIsNotAVoucher() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        bytes32 asMessage = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", vault.hashVoucher(voucher)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, asMessage);
        refuseAsForged(voucher, abi.encodePacked(r, s, v));
    }

    function testFuzz_mirroredSignatureIsRefused(uint64 nonce) public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, nonce);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, vault.hashVoucher(voucher));
        bytes32 mirrored = bytes32(CURVE_ORDER - uint256(s));
        bytes memory signature = abi.encodePacked(r, mirrored, v == 27 ? uint8(28) : uint8(27));
        refuseWithdrawal(voucher, signature, abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureS.selector, mirrored));
    }

    function testFuzz_signatureOfAnotherLengthIsRefused(bytes memory noise) public {
        vm.assume(noise.length != 65);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        refuseWithdrawal(
            voucher, noise, abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureLength.selector, bytes32(noise.length))
        );
    }

    function test_emptySignatureNeverMeansASigner() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        refuseWithdrawal(voucher, new bytes(65), abi.encodeWithSelector(ECDSA.ECDSAInvalidSignature.selector));
    }

    function test_vouchersOfAReplacedSignerPayNoMore() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        uint256 newKey = 0xbeef;
        vm.prank(owner);
        vault.setSigner(vm.addr(newKey));

        refuseWithdrawal(
            voucher, sign(voucher), abi.encodeWithSelector(IClearwellVault.NotSignedBySigner.selector, signer)
        );
        vault.withdraw(voucher, signWith(newKey, voucher));
    }

    /// Such a signature recovers to an address other than the signer's.
    function refuseAsForged(IClearwellVault.Voucher memory voucher, bytes memory signature) private {
        vm.expectPartialRevert(IClearwellVault.NotSignedBySigner.selector);
        vault.withdraw(voucher, signature);
        assertFalse(vault.isNonceUsed(voucher.nonce));
    }
}

interface TokenBalance {
    function balanceOf(address account) external view returns (uint256);
}
