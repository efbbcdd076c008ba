// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SumTree} from "./SumTree.sol";

/// @title Types, events and errors of the vault with exits
/// @notice Amounts are base units of their asset, times are seconds since 1970. The native coin is asset address(0).
interface IExitVault {
    // Types

    /// @notice Permission to take money out. EIP-712 type
    /// `Withdrawal(address account,address asset,uint256 amount,uint256 nonce,uint256 deadline,uint64 root)`
    /// in the domain "Clearwell Vault", version "2".
    /// @param root number of a header that holds the lock of this payment
    struct Voucher {
        address account;
        address asset;
        uint256 amount;
        uint256 nonce;
        uint256 deadline;
        uint64 root;
    }

    /// @notice Names a posted root. The vault stores the hash of these three.
    /// @param seq count of posts up to it; 0 means no root
    struct RootRef {
        bytes32 headerHash;
        uint40 postedAt;
        uint40 seq;
    }

    /// @notice A posted root with its header.
    /// @param header the words of {RootHeader}
    struct PostedHeader {
        bytes header;
        uint40 postedAt;
        uint40 seq;
    }

    /// @notice A balance to be paid out.
    /// @param index of the asset in the header; ignored without a path
    /// @param path empty where the account's first deposit of the asset is later than the root's cursor: then there is no leaf
    struct Claim {
        address asset;
        uint8 index;
        SumTree.Leaf leaf;
        uint256 place;
        SumTree.Sibling[] path;
    }

    /// @notice Roots that decide an exit.
    /// @param base the last root posted up to six days after the request. A second element is the root of the account's
    /// last exit, needed where the first does not know that payment
    /// @param next the root after the first element that is not dropped, or zeros
    /// @param unfrozen empty, or while the newest root is frozen: the newest one that is not
    /// @param unfrozenNext the root after it that is not dropped
    struct ExitProof {
        PostedHeader[] base;
        RootRef next;
        PostedHeader[] unfrozen;
        RootRef unfrozenNext;
    }

    /// @param exitAt time of the open request, 0 without one
    /// @param floor the newest root when a voucher last paid the account; no exit under an older one. Never falls
    /// @param lastBase the root of the last exit that paid
    /// @param lastBlock the block of that payment
    struct Account {
        uint40 exitAt;
        uint40 floor;
        uint40 lastBase;
        uint40 lastBlock;
    }

    /// @param paid vouchers, exits and claims
    /// @param firstDeposit its block, 0 without one
    struct Balance {
        uint112 deposited;
        uint112 paid;
        uint32 firstDeposit;
    }

    /// @param movedAt first payment to the successor, 0 before
    /// @param endingAt `startEnd`, 0 before
    /// @param endedAt `end`, 0 before
    /// @param base the newest root at the end
    struct Closing {
        uint40 movedAt;
        uint40 endingAt;
        uint40 endedAt;
        uint40 base;
    }

    /// @param paid by vouchers, `payoutPaid` included
    /// @param payoutPaid by vouchers to the payout address
    struct Totals {
        uint128 deposited;
        uint128 paid;
        uint128 exited;
        uint128 payoutPaid;
    }

    /// @notice Figures of one asset in the newest root. See {RootHeader}.
    /// @param owed users and lending
    /// @param shortSince since when the vault is known to hold less than it owes, 0 if it is not
    struct Figures {
        uint128 owed;
        uint128 locked;
        uint128 depositedSeen;
        uint128 paidSeen;
        uint128 exitedSeen;
        uint128 payoutPaidSeen;
        uint128 payouts;
        uint40 shortSince;
    }

    /// @notice An asset with its first limits.
    struct AssetSetup {
        address token;
        uint112 perVoucher;
        uint112 perDay;
    }

    /// @param payout receives the operator's own transfers out of the treasury
    /// @param settlement pays lending after the end; zero closes lending on this vault for ever
    /// @param predecessor a vault whose plain payments are not deposits, or zero
    struct Setup {
        address owner;
        address guardian;
        address payout;
        address settlement;
        address predecessor;
        address[] signers;
        address[] rootKeys;
        address[] bookkeepers;
        AssetSetup[] assets;
    }

    // Events

    /// @notice Money came in. `amount` is what arrived.
    event Deposited(address indexed account, address indexed asset, uint256 amount, bytes32 indexed orderId);

    /// @notice Money came in that belongs to no account: the operator's.
    event Refilled(address indexed from, uint256 amount);

    /// @notice A voucher paid.
    event Withdrawn(address indexed account, address indexed asset, uint256 amount, uint256 indexed nonce);

    /// @notice The vault's money moved to the announced successor. From the first such payment the vault is closed.
    event Moved(address indexed successor, address indexed asset, uint256 amount, uint256 indexed nonce);

    /// @notice A root is in force for vouchers. `holdings` are the vault's balances, in the order of the header.
    event RootPosted(
        uint40 indexed seq, uint64 indexed number, bytes32 headerHash, uint40 postedAt, bytes header, uint256[] holdings
    );

    /// @notice Roots are void. The operator owes accounts that were paid while the last of them was the newest.
    event RootsDropped(uint40 from, uint40 to, uint64 newestNumber);

    /// @notice The vault holds less of an asset than it owes since `since`; 0: it holds enough.
    event ShortNoted(address indexed asset, uint40 since);

    event ExitRequested(address indexed account, uint40 time);
    event ExitCancelled(address indexed account);

    /// @notice An exit paid `amount` of the account's balance under the root `base`.
    event Exited(address indexed account, address indexed asset, uint256 amount, address to, uint40 base);

    event EndStarted(uint40 time);
    event Ended(uint40 time, uint40 base);

    /// @notice Every claim of this asset is paid `held / owed` of its amount, all of it where `held >= owed`.
    event FractionFixed(address indexed asset, uint256 held, uint256 owed);

    /// @notice A claim after the end: `amount` of the account's balance is settled by `payment`.
    event Claimed(address indexed account, address indexed asset, uint256 amount, uint256 payment, address to);

    event LendingReleased(address indexed asset, uint256 amount);
    event HouseTaken(address indexed asset, uint256 amount);

    // Errors: state of the vault

    error VaultPaused();

    /// @notice The end has begun, or money has moved to the successor.
    error VaultClosed();
    error VaultNotEnded();

    /// @notice The newest root is 24 hours old, or there is none: money neither comes in nor leaves by voucher.
    error NotFresh(uint40 postedAt);

    /// @notice The vault holds less of the asset than it owes.
    error AssetShort(address asset);

    /// @notice The asset is not on the list, not yet, or has no daily limit.
    error AssetNotAccepted(address asset);

    /// @notice The asset's balance cannot be read.
    error BalanceUnknown(address asset);

    /// @notice Too little gas to read a balance and to judge the result.
    error TooLittleGas();

    // Errors: roots

    error NumberOutOfRange(uint64 number, uint64 newest);
    error CursorTimeOutOfRange(uint40 cursorTime);
    error CursorBlockOutOfRange(uint64 cursorBlock);
    error NotARootKey();
    error NotABookkeeper();
    error DepthOutOfRange(uint8 depth);

    /// @notice The header's assets are not those of the vault, in its order.
    error WrongAssets();
    error LockedMoreThanOwed(address asset);

    /// @notice A counter falls, or is above the vault's own.
    error SeenOutOfRange(address asset);

    /// @notice Without a settlement contract, money in lending could never leave after an end.
    error LendingIsClosed(address asset);

    /// @notice The three values name no posted root.
    error RootNotPosted(uint40 seq);
    error RootFrozen(uint40 seq);
    error RootNotFrozen(uint40 seq);

    /// @notice Another root is the last one up to the time in question.
    error NotTheLastRoot(uint40 seq);
    error RangeOutOfOrder(uint40 from, uint40 to);

    // Errors: money

    error ZeroAmount();
    error WrongNativeValue(uint256 expected, uint256 sent);
    error NativeHasNoPermit();
    error UnexpectedBalanceChange(address asset, uint256 balanceBefore, uint256 balanceAfter, uint256 amount);
    error NativeTransferFailed(address account, uint256 amount);
    error InvalidAccount(address account);

    error VoucherExpired(uint256 deadline);
    error DeadlineTooLate(uint256 deadline);
    error RootNotReached(uint64 root, uint64 newest);

    /// @notice The newest root does not know the account's last exit yet.
    error ExitNotBooked(uint40 lastBlock);
    error NotSignedBySigner();
    error NonceUsed(uint256 nonce);
    error WithdrawalExceedsLocked(uint256 amount, uint256 left);

    // Errors: exits and the end

    error ExitOpen(address account);
    error NoExitOpen(address account);
    error ExitNotReady(uint256 readyAt);

    /// @notice The root is older than one under which the account was paid.
    error RootBeforeFloor(uint40 seq, uint40 floor);

    /// @notice This base does not know the account's earlier exit: pass the root of that exit too.
    error EarlierExitUnknown(uint40 lastBase);

    /// @notice The path does not lead to the root of the header.
    error WrongPath();

    /// @notice The account has a leaf, for its first deposit is not later than the root's cursor.
    error LeafNeeded(uint32 firstDeposit);
    error NothingToPay();

    error TooEarly(uint256 from);
    error AlreadyDone();
    error NoReasonToEnd();

    error NotTheOwner(address caller);

    /// @notice The settlement contract was made for another vault.
    error WrongSettlement(address settlement);
}
