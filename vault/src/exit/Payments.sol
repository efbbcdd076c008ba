// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";

import {RootHeader} from "./RootHeader.sol";
import {Roots} from "./Roots.sol";
import {Transfers} from "./Transfers.sol";
import {IVaultKeys} from "./IVaultKeys.sol";

/// @title Deposits, and withdrawals by voucher under a root
abstract contract Payments is Roots {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;
    using BitMaps for BitMaps.BitMap;

    bytes32 private constant WITHDRAWAL_TYPEHASH = keccak256(
        "Withdrawal(address account,address asset,uint256 amount,uint256 nonce,uint256 deadline,uint64 root)"
    );

    uint256 private constant MAX_LIFETIME = 24 hours;

    /// @notice Receives the operator's own transfers out of the treasury.
    address public immutable payout;

    /// @notice A vault whose plain payments of the native coin are no deposits: the money of a move.
    address public immutable predecessor;

    BitMaps.BitMap private _usedNonces;

    constructor(Setup memory setup) Roots(setup) {
        if (setup.payout == address(0)) revert InvalidAccount(setup.payout);
        payout = setup.payout;
        predecessor = setup.predecessor;
    }

    // Money in

    /// @notice A plain transfer of the native coin is a deposit that names no order. One from the predecessor is not.
    receive() external payable nonReentrant {
        if (msg.sender == predecessor) emit Refilled(msg.sender, msg.value);
        else _depositNative(msg.value, bytes32(0));
    }

    /// @notice Pays native coin that belongs to no account, also into a vault that is short or paused. Tokens need no such
    /// call: a plain transfer does it.
    function refill() external payable nonReentrant {
        emit Refilled(msg.sender, msg.value);
    }

    /// @notice Pays `amount` of `asset` into the vault for the caller. Native coin: the call carries exactly `amount`. Token:
    /// the vault pulls it by the caller's allowance.
    function deposit(address asset, uint256 amount, bytes32 orderId) external payable nonReentrant {
        if (asset == NATIVE) {
            _depositNative(amount, orderId);
        } else {
            if (msg.value != 0) revert WrongNativeValue(0, msg.value);
            _requireDeposit(asset);
            _depositToken(asset, amount, orderId);
        }
    }

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
    ) external nonReentrant {
        if (asset == NATIVE) revert NativeHasNoPermit();
        // Before the permit too: no contract is called that the owner has not listed.
        _requireDeposit(asset);
        // A failure is ignored: without an allowance the transfer fails, and only the caller's own allowance is ever used.
        try IERC20Permit(asset).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
        _depositToken(asset, amount, orderId);
    }

    // Money out

    /// @notice Pays a voucher out to its account. Anyone may submit it.
    /// @param signature 65 bytes r, s, v of a signer over `hashVoucher(voucher)`
    function withdraw(Voucher calldata voucher, bytes calldata signature) external nonReentrant {
        _withdraw(voucher, signature);
    }

    /// @notice Posts the header if it is newer than the newest root, and pays the voucher, in one transaction.
    function withdrawWithRoot(
        bytes calldata header,
        bytes calldata rootSignature,
        bytes calldata bookSignature,
        Voucher calldata voucher,
        bytes calldata signature
    ) external nonReentrant {
        if (RootHeader.number(header) > _newest.number) {
            _postRoot(header, rootSignature, bookSignature);
        }
        _withdraw(voucher, signature);
    }

    // Reading

    function isNonceUsed(uint256 nonce) external view returns (bool) {
        return _usedNonces.get(nonce);
    }

    function accountOf(address account) external view returns (Account memory) {
        return _accounts[account];
    }

    function balanceOf(address account, address asset) external view returns (Balance memory) {
        return _balances[account][asset];
    }

    /// @notice The EIP-712 digest that the signer signs.
    function hashVoucher(Voucher calldata voucher) public view returns (bytes32) {
        return _digestOf(keccak256(abi.encode(WITHDRAWAL_TYPEHASH, voucher)));
    }

    // Deposits, step by step

    function _requireDeposit(address asset) private view {
        _requireListed(asset);
        (, uint256 perDay) = keys.limitsOf(asset);
        if (perDay == 0) revert AssetNotAccepted(asset);
        _requireFresh();
        if (_accounts[msg.sender].exitAt != 0) revert ExitOpen(msg.sender);
    }

    function _depositNative(uint256 amount, bytes32 orderId) private {
        _requireDeposit(NATIVE);
        if (msg.value != amount) revert WrongNativeValue(amount, msg.value);
        if (amount == 0) revert ZeroAmount();
        // The deposit is already in the balance.
        _requireNotShort(NATIVE, address(this).balance - amount, _figures[NATIVE]);
        _book(NATIVE, amount, orderId);
    }

    function _depositToken(address asset, uint256 amount, bytes32 orderId) private {
        uint256 balanceBefore = _balanceOf(asset);
        _requireNotShort(asset, balanceBefore, _figures[asset]);
        IERC20(asset).safeTransferFrom(msg.sender, address(this), amount);
        uint256 balanceAfter = _balanceOf(asset);
        // Less than asked for is a token with a fee, and what arrived is credited. More, or a loss, means that something
        // else happened during the transfer, and then the owner of that money is unknown.
        if (balanceAfter < balanceBefore || balanceAfter - balanceBefore > amount) {
            revert UnexpectedBalanceChange(asset, balanceBefore, balanceAfter, amount);
        }
        uint256 received = balanceAfter - balanceBefore;
        if (received == 0) revert ZeroAmount();
        _book(asset, received, orderId);
    }

    function _book(address asset, uint256 amount, bytes32 orderId) private {
        Balance storage balance = _balances[msg.sender][asset];
        balance.deposited = (balance.deposited + amount).toUint112();
        if (balance.firstDeposit == 0) balance.firstDeposit = block.number.toUint32();
        _totals[asset].deposited += amount.toUint128();
        emit Deposited(msg.sender, asset, amount, orderId);
    }

    // Withdrawals, step by step

    function _withdraw(Voucher calldata voucher, bytes calldata signature) private {
        _requireNotPaused();
        // The last second still pays.
        if (block.timestamp > voucher.deadline) revert VoucherExpired(voucher.deadline);
        if (voucher.amount == 0) revert ZeroAmount();
        // A payment to the vault would use up the voucher and move nothing.
        if (voucher.account == address(0) || voucher.account == address(this)) revert InvalidAccount(voucher.account);
        if (!_isSignedBy(IVaultKeys.Role.Signer, hashVoucher(voucher), signature)) revert NotSignedBySigner();
        if (_usedNonces.get(voucher.nonce)) revert NonceUsed(voucher.nonce);
        _usedNonces.set(voucher.nonce);

        if (keys.isActiveSuccessor(voucher.account)) {
            _move(voucher);
        } else {
            _requireWithdrawal(voucher);
            keys.useLimits(voucher.asset, voucher.amount, _limitedBalance(voucher.asset));
            _countPaid(voucher);
            emit Withdrawn(voucher.account, voucher.asset, voucher.amount, voucher.nonce);
        }
        Transfers.pay(voucher.asset, voucher.account, voucher.amount);
    }

    function _requireWithdrawal(Voucher calldata voucher) private view {
        _requireFresh();
        Newest storage newest = _newest;
        if (voucher.root > newest.number) revert RootNotReached(voucher.root, newest.number);
        if (voucher.deadline > block.timestamp + MAX_LIFETIME) revert DeadlineTooLate(voucher.deadline);
        Account storage account = _accounts[voucher.account];
        if (account.exitAt != 0) revert ExitOpen(voucher.account);
        // Otherwise no base could serve the account until the next root: too old for its voucher, or for its exit.
        if (newest.cursorBlock < account.lastBlock) revert ExitNotBooked(account.lastBlock);
        Figures memory figures = _figures[voucher.asset];
        _requireNotShort(voucher.asset, _balanceOf(voucher.asset), figures);
        uint256 since = _totals[voucher.asset].paid - figures.paidSeen;
        uint256 left = since < figures.locked ? figures.locked - since : 0;
        if (voucher.amount > left) revert WithdrawalExceedsLocked(voucher.amount, left);
    }

    function _countPaid(Voucher calldata voucher) private {
        Account storage account = _accounts[voucher.account];
        // After a drop the newest root is older than the one of an earlier payment.
        if (_newest.seq > account.floor) account.floor = _newest.seq;
        Balance storage balance = _balances[voucher.account][voucher.asset];
        balance.paid = (balance.paid + voucher.amount).toUint112();
        Totals storage totals = _totals[voucher.asset];
        totals.paid += voucher.amount.toUint128();
        if (voucher.account == payout) totals.payoutPaid += voucher.amount.toUint128();
    }

    /// @dev Limits and locks do not apply: the money follows the owner's announced decision. Only a pause stops it.
    function _move(Voucher calldata voucher) private {
        if (_closing.endingAt != 0) revert VaultClosed();
        if (_closing.movedAt == 0) _closing.movedAt = _now();
        emit Moved(voucher.account, voucher.asset, voucher.amount, voucher.nonce);
    }

    /// @dev Exits are added back, so a large exit lowers no voucher's limit.
    function _limitedBalance(address asset) private view returns (uint256) {
        return _balanceOf(asset) + _totals[asset].exited;
    }
}
