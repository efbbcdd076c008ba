// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Clearwell vault
/// @notice Holds every token that Clearwell has in custody. Anyone may pay in. Money leaves only against a voucher
/// that the signer signed, only to the account named in it, once, in time, and within the limits of its asset.
/// @dev The native coin of the chain is written as asset address(0). Amounts are base units of the asset.
interface IClearwellVault {
    /// @notice Permission to take money out. Its EIP-712 type is
    /// `Withdrawal(address account,address asset,uint256 amount,uint256 nonce,uint256 deadline)`
    /// in the domain "Clearwell Vault", version "1", this chain, this contract.
    /// @param account the receiver of the payment; any account can submit the voucher
    /// @param asset the token, or address(0) for the native coin
    /// @param amount base units that leave the vault
    /// @param nonce a number that pays at most once
    /// @param deadline the last second, as a block timestamp, in which the voucher pays
    struct Voucher {
        address account;
        address asset;
        uint256 amount;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice Money came in. `amount` is what the vault received, which a token may make less than what was sent.
    /// @param orderId the order that this pays, or zero when the payment names none
    event Deposited(address indexed account, address indexed asset, uint256 amount, bytes32 indexed orderId);

    /// @notice Money went out to `account` against the voucher with this nonce.
    event Withdrawn(address indexed account, address indexed asset, uint256 amount, uint256 indexed nonce);

    /// @notice The owner set what one voucher may take of an asset, and by how much its balance may fall in 24 hours.
    event LimitsSet(address indexed asset, uint256 perVoucher, uint256 perDay);

    /// @notice The owner replaced the signer. Vouchers of the previous one pay no more.
    event SignerSet(address indexed previous, address indexed current);

    /// @notice The owner replaced the guardian.
    event GuardianSet(address indexed previous, address indexed current);

    /// @notice A deposit of nothing, or a voucher over nothing.
    error ZeroAmount();

    /// @notice An asset whose daily limit is zero is not taken in: it could not go out again.
    error AssetNotAccepted(address asset);

    /// @notice The native coin sent with the call differs from what the call is for.
    error WrongNativeValue(uint256 expected, uint256 sent);

    /// @notice The native coin is sent with the call and knows no permit.
    error NativeHasNoPermit();

    /// @notice A token moved another amount than the vault asked for, in a direction that the books cannot carry.
    error UnexpectedBalanceChange(address asset, uint256 balanceBefore, uint256 balanceAfter, uint256 amount);

    /// @notice The voucher's last second has passed.
    error VoucherExpired(uint256 deadline, uint256 timestamp);

    /// @notice A voucher may pay neither the zero address nor the vault.
    error InvalidAccount(address account);

    /// @notice The signature is well formed but not the signer's over this voucher on this chain for this contract.
    error NotSignedBySigner(address recovered);

    /// @notice The voucher with this nonce has paid already.
    error NonceUsed(uint256 nonce);

    /// @notice More than one voucher may take of this asset.
    error WithdrawalExceedsCap(uint256 asked, uint256 cap);

    /// @notice The balance of this asset would fall by more than its limit within 24 hours.
    error WithdrawalExceedsLimit(uint256 asked, uint256 available);

    /// @notice The receiving contract refused the native coin.
    error NativeTransferFailed(address account, uint256 amount);

    /// @notice Only the guardian and the owner may pause.
    error NotAllowedToPause(address caller);

    /// @notice A role needs a holder.
    error ZeroAddress();

    /// @notice Owner, signer and guardian are three different accounts, so that no single key holds two powers.
    error RolesNotApart(address account);

    /// @notice Without an owner, no account could unpause or replace a stolen signer.
    error OwnershipCannotBeRenounced();

    /// @notice Pays `amount` of `asset` into the vault for the caller.
    /// @dev Native coin: `asset` is address(0) and the call carries exactly `amount`. Token: the vault pulls `amount`
    /// by the caller's allowance, and the call carries no native coin. Refused while paused.
    function deposit(address asset, uint256 amount, bytes32 orderId) external payable;

    /// @notice As `deposit` for a token with EIP-2612: the permit replaces the separate approval.
    /// @dev A permit that someone else submitted first does no harm: the allowance is there, and that decides.
    function depositWithPermit(
        address asset,
        uint256 amount,
        bytes32 orderId,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Pays a voucher out to its account. Anyone may submit it. Refused while paused.
    /// @param signature the signer's 65 bytes r, s, v over `hashVoucher(voucher)`
    function withdraw(Voucher calldata voucher, bytes calldata signature) external;

    /// @notice Stops deposits and withdrawals. For the guardian and the owner.
    function pause() external;

    /// @notice Lets deposits and withdrawals run again. For the owner.
    function unpause() external;

    /// @notice Sets what one voucher may take of an asset, and by how much the vault's balance of it may fall within any
    /// 24 hours. For the owner.
    /// @dev Zero per day stops the asset both ways; zero per voucher stops withdrawals only.
    function setLimits(address asset, uint256 perVoucher, uint256 perDay) external;

    /// @notice Replaces the account whose vouchers pay. For the owner.
    function setSigner(address signer) external;

    /// @notice Replaces the account that may pause. For the owner.
    function setGuardian(address guardian) external;

    /// @notice The account whose vouchers pay. It can do nothing else.
    function signer() external view returns (address);

    /// @notice The account that may pause. It can do nothing else.
    function guardian() external view returns (address);

    /// @notice What one voucher may take of `asset`, and by how much its balance may fall within any 24 hours.
    function limitsOf(address asset) external view returns (uint256 perVoucher, uint256 perDay);

    /// @notice What the daily limit of `asset` leaves at this moment, even if the vault holds less. Money that comes in
    /// restores it, up to the limit.
    function availableToWithdraw(address asset) external view returns (uint256);

    /// @notice Whether a voucher with this nonce has paid.
    function isNonceUsed(uint256 nonce) external view returns (bool);

    /// @notice The EIP-712 digest that the signer signs.
    function hashVoucher(Voucher calldata voucher) external view returns (bytes32);
}
