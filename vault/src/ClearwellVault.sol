// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";

import {IClearwellVault} from "./IClearwellVault.sol";

/// @title Clearwell vault
/// @notice See {IClearwellVault}. There is no upgrade, no delegatecall, and no function by which the owner, the signer
/// alone or anyone else could take money out beside `withdraw`.
contract ClearwellVault is IClearwellVault, Ownable2Step, Pausable, ReentrancyGuardTransient, EIP712 {
    using SafeERC20 for IERC20;
    using BitMaps for BitMaps.BitMap;

    struct Limits {
        uint256 perVoucher;
        uint256 perDay;
    }

    address private constant NATIVE = address(0);

    bytes32 private constant WITHDRAWAL_TYPEHASH =
        keccak256("Withdrawal(address account,address asset,uint256 amount,uint256 nonce,uint256 deadline)");

    /// @dev The vault's balance of an asset may fall by at most the daily limit within any 24 hours. Each slot of four
    /// hours stores the highest balance before a withdrawal in it. The current slot and the six before it always reach
    /// back at least 24 hours; a high balance stops counting after 24 to 28 hours. Only withdrawals lower the balance,
    /// so the highest balance of any period is one before a withdrawal, or the present one. Money that comes in,
    /// on every path, restores what the limit leaves up to the limit itself, and never raises it above.
    uint256 private constant SLOT_SECONDS = 4 hours;
    uint256 private constant SLOTS = 7;

    /// @inheritdoc IClearwellVault
    address public signer;

    /// @inheritdoc IClearwellVault
    address public guardian;

    /// @inheritdoc IClearwellVault
    mapping(address asset => Limits) public limitsOf;

    mapping(address asset => mapping(uint256 slot => uint256 balance)) private _highestBalance;

    BitMaps.BitMap private _usedNonces;

    /// @dev A new vault takes and pays nothing until its owner has set the limits of an asset.
    constructor(address owner_, address signer_, address guardian_) Ownable(owner_) EIP712("Clearwell Vault", "1") {
        _setSigner(signer_);
        _setGuardian(guardian_);
    }

    // Money in

    /// @notice A plain transfer of the native coin is a deposit that names no order.
    receive() external payable nonReentrant whenNotPaused {
        _depositNative(msg.value, bytes32(0));
    }

    /// @inheritdoc IClearwellVault
    function deposit(address asset, uint256 amount, bytes32 orderId) external payable nonReentrant whenNotPaused {
        if (asset == NATIVE) {
            _depositNative(amount, orderId);
        } else {
            if (msg.value != 0) revert WrongNativeValue(0, msg.value);
            _depositToken(asset, amount, orderId);
        }
    }

    /// @inheritdoc IClearwellVault
    function depositWithPermit(
        address asset,
        uint256 amount,
        bytes32 orderId,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant whenNotPaused {
        if (asset == NATIVE) revert NativeHasNoPermit();
        // Before the permit too: no contract is called that the owner has not listed.
        _requireAccepted(asset);
        // Anyone who sees the permit in the mempool can submit it first, and then it fails here. The allowance still
        // exists, so a failure is ignored; without an allowance the transfer fails. Only the caller's own allowance
        // is ever used, so an ignored permit cannot spend anyone else's money.
        try IERC20Permit(asset).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
        _depositToken(asset, amount, orderId);
    }

    // Money out

    /// @inheritdoc IClearwellVault
    function withdraw(Voucher calldata voucher, bytes calldata signature) external nonReentrant whenNotPaused {
        // The last second still pays. A validator may shift the clock by seconds, deadlines are minutes away.
        // forge-lint: disable-next-line(block-timestamp)
        if (block.timestamp > voucher.deadline) revert VoucherExpired(voucher.deadline, block.timestamp);
        if (voucher.amount == 0) revert ZeroAmount();
        // A payment to the vault itself would use up the voucher and move nothing.
        if (voucher.account == address(0) || voucher.account == address(this)) revert InvalidAccount(voucher.account);

        // ECDSA refuses malleable signatures and never answers the zero address.
        address recovered = ECDSA.recoverCalldata(hashVoucher(voucher), signature);
        if (recovered != signer) revert NotSignedBySigner(recovered);

        // Everything is written before any money moves.
        _useNonce(voucher.nonce);
        _useLimits(voucher.asset, voucher.amount);
        emit Withdrawn(voucher.account, voucher.asset, voucher.amount, voucher.nonce);

        if (voucher.asset == NATIVE) {
            _payNative(voucher.account, voucher.amount);
        } else {
            _payToken(voucher.asset, voucher.account, voucher.amount);
        }
    }

    // Roles

    /// @inheritdoc IClearwellVault
    function pause() external {
        if (msg.sender != guardian && msg.sender != owner()) revert NotAllowedToPause(msg.sender);
        _pause();
    }

    /// @inheritdoc IClearwellVault
    function unpause() external onlyOwner {
        _unpause();
    }

    /// @inheritdoc IClearwellVault
    function setLimits(address asset, uint256 perVoucher, uint256 perDay) external onlyOwner {
        limitsOf[asset] = Limits(perVoucher, perDay);
        emit LimitsSet(asset, perVoucher, perDay);
    }

    /// @inheritdoc IClearwellVault
    function setSigner(address signer_) external onlyOwner {
        _setSigner(signer_);
    }

    /// @inheritdoc IClearwellVault
    function setGuardian(address guardian_) external onlyOwner {
        _setGuardian(guardian_);
    }

    /// @notice Always refused, see {OwnershipCannotBeRenounced}.
    function renounceOwnership() public view override onlyOwner {
        revert OwnershipCannotBeRenounced();
    }

    // Reading

    /// @inheritdoc IClearwellVault
    function availableToWithdraw(address asset) external view returns (uint256) {
        // An asset without a limit may not even be a contract.
        return limitsOf[asset].perDay == 0 ? 0 : _availableAt(asset, _balanceOf(asset));
    }

    /// @inheritdoc IClearwellVault
    function isNonceUsed(uint256 nonce) external view returns (bool) {
        return _usedNonces.get(nonce);
    }

    /// @inheritdoc IClearwellVault
    function hashVoucher(Voucher calldata voucher) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    WITHDRAWAL_TYPEHASH, voucher.account, voucher.asset, voucher.amount, voucher.nonce, voucher.deadline
                )
            )
        );
    }

    // Steps

    function _depositNative(uint256 amount, bytes32 orderId) private {
        _requireAccepted(NATIVE);
        if (msg.value != amount) revert WrongNativeValue(amount, msg.value);
        if (amount == 0) revert ZeroAmount();
        emit Deposited(msg.sender, NATIVE, amount, orderId);
    }

    function _depositToken(address asset, uint256 amount, bytes32 orderId) private {
        _requireAccepted(asset);

        uint256 balanceBefore = IERC20(asset).balanceOf(address(this));
        IERC20(asset).safeTransferFrom(msg.sender, address(this), amount);
        uint256 balanceAfter = IERC20(asset).balanceOf(address(this));

        // Less than asked for is a token with a fee, and what arrived is credited. More, or a loss, means that something
        // else happened during the transfer, and then the owner of that money is unknown.
        if (balanceAfter < balanceBefore || balanceAfter - balanceBefore > amount) {
            revert UnexpectedBalanceChange(asset, balanceBefore, balanceAfter, amount);
        }
        uint256 received = balanceAfter - balanceBefore;
        if (received == 0) revert ZeroAmount();
        emit Deposited(msg.sender, asset, received, orderId);
    }

    function _payNative(address account, uint256 amount) private {
        // All gas goes along, for smart-contract wallets need it, and the guard stops reentrancy. The return data is
        // not copied: long data could only waste the submitter's gas.
        if (!LowLevelCall.callNoReturn(account, amount, "")) revert NativeTransferFailed(account, amount);
    }

    function _payToken(address asset, address account, uint256 amount) private {
        uint256 balanceBefore = IERC20(asset).balanceOf(address(this));
        IERC20(asset).safeTransfer(account, amount);
        uint256 balanceAfter = IERC20(asset).balanceOf(address(this));

        // The ledger takes `amount` off the account, so exactly that must have left, neither more nor nothing.
        if (balanceAfter > balanceBefore || balanceBefore - balanceAfter != amount) {
            revert UnexpectedBalanceChange(asset, balanceBefore, balanceAfter, amount);
        }
    }

    function _useNonce(uint256 nonce) private {
        if (_usedNonces.get(nonce)) revert NonceUsed(nonce);
        _usedNonces.set(nonce);
    }

    function _useLimits(address asset, uint256 amount) private {
        uint256 cap = limitsOf[asset].perVoucher;
        if (amount > cap) revert WithdrawalExceedsCap(amount, cap);
        uint256 balance = _balanceOf(asset);
        uint256 available = _availableAt(asset, balance);
        if (amount > available) revert WithdrawalExceedsLimit(amount, available);
        uint256 slot = block.timestamp / SLOT_SECONDS;
        if (balance > _highestBalance[asset][slot]) _highestBalance[asset][slot] = balance;
    }

    /// @dev What the daily limit leaves while the vault holds `balance`.
    function _availableAt(address asset, uint256 balance) private view returns (uint256) {
        uint256 limit = limitsOf[asset].perDay;
        uint256 current = block.timestamp / SLOT_SECONDS;
        uint256 highest = balance;
        // The subtraction cannot go below zero on any chain whose clock has passed the second day of 1970.
        for (uint256 age = 0; age < SLOTS; ++age) {
            uint256 earlier = _highestBalance[asset][current - age];
            if (earlier > highest) highest = earlier;
        }
        uint256 fallen = highest - balance;
        // The owner may lower a limit below what has already left.
        return fallen < limit ? limit - fallen : 0;
    }

    function _balanceOf(address asset) private view returns (uint256) {
        return asset == NATIVE ? address(this).balance : IERC20(asset).balanceOf(address(this));
    }

    function _requireAccepted(address asset) private view {
        if (limitsOf[asset].perDay == 0) revert AssetNotAccepted(asset);
    }

    function _setSigner(address signer_) private {
        if (signer_ == address(0)) revert ZeroAddress();
        emit SignerSet(signer, signer_);
        signer = signer_;
        _requireRolesApart();
    }

    function _setGuardian(address guardian_) private {
        if (guardian_ == address(0)) revert ZeroAddress();
        emit GuardianSet(guardian, guardian_);
        guardian = guardian_;
        _requireRolesApart();
    }

    /// @dev Every change of the owner passes here, the constructor's included.
    function _transferOwnership(address newOwner) internal override {
        super._transferOwnership(newOwner);
        _requireRolesApart();
    }

    function _requireRolesApart() private view {
        address owner_ = owner();
        if (owner_ == signer || owner_ == guardian) revert RolesNotApart(owner_);
        // Both are empty together only while the constructor runs.
        if (signer == guardian && signer != address(0)) revert RolesNotApart(signer);
    }
}
