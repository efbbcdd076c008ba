// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {ExitVault} from "./ExitVault.sol";
import {IExitVault} from "./IExitVault.sol";
import {Leaves} from "./Leaves.sol";
import {RootHeader} from "./RootHeader.sol";
import {Transfers} from "./Transfers.sol";

/// @title Claims after the end: every account gets its balance under the last root, in proportion if there is too little
/// @notice The vault deploys this contract in its constructor. It is a contract beside the vault because one contract would be
/// larger than EIP-170 allows. After the end it takes over the money, asset by asset, so a faulty token delays only itself.
contract Claims is ReentrancyGuardTransient {
    using SafeCast for uint256;

    /// @param held what claims of this asset are paid from
    /// @param owed all claims and lending; a claim is paid in full where it is not above `held`
    /// @param paid payments so far, lending included
    /// @param isFixed whether the money has been taken over
    struct Fraction {
        uint128 held;
        uint128 owed;
        uint128 paid;
        bool isFixed;
    }

    /// @param releasedAt the time, 0 before
    struct Released {
        uint128 amount;
        uint40 releasedAt;
    }

    uint256 private constant HOUSE_WAIT = 180 days;

    ExitVault public immutable vault;

    mapping(address asset => Fraction) public fractionOf;

    /// @notice Lending that went to the settlement contract, and when.
    mapping(address asset => Released) public releasedLending;

    /// @notice Amounts of accounts that claims have settled, in base units: the vault's `paid` continued.
    mapping(address account => mapping(address asset => uint256)) public settledOf;

    constructor() {
        vault = ExitVault(payable(msg.sender));
    }

    /// @notice Takes the native coin from the vault only.
    receive() external payable {
        if (msg.sender != address(vault)) revert IExitVault.InvalidAccount(msg.sender);
    }

    /// @notice Takes over the vault's money of an asset, and fixes the fraction of its claims. Anyone may call, after the end;
    /// the other calls do it where it is missing.
    function takeOver(address asset) external nonReentrant {
        _fractionOf(asset);
    }

    /// @notice Pays the caller's balance of one asset under the last root, times the asset's fraction, rounded down.
    /// @param roots the last root. A second element is the root of the account's last exit, where the last root does not
    /// know that payment. None if every root was dropped
    function claimAfterEnd(IExitVault.PostedHeader[] calldata roots, IExitVault.Claim calldata claim, address to)
        external
        nonReentrant
    {
        uint256 amount = _amountOf(roots, claim);
        // The whole amount is settled, so a second claim finds nothing.
        settledOf[msg.sender][claim.asset] += amount;
        uint256 payment = _share(amount, _fractionOf(claim.asset));
        if (payment == 0) revert IExitVault.NothingToPay();
        emit IExitVault.Claimed(msg.sender, claim.asset, amount, payment, to);
        _pay(claim.asset, to, payment);
    }

    /// @notice Sends lending of an asset, times its fraction, to the settlement contract, once. Anyone may call.
    /// @param root the last root
    /// @param index of the asset in its header
    function releaseLending(IExitVault.PostedHeader calldata root, uint256 index) external nonReentrant {
        _requireEndRoot(root);
        address settlement = vault.settlement();
        if (index >= RootHeader.assetCount(root.header)) revert IExitVault.WrongAssets();
        address asset = RootHeader.token(root.header, index);
        if (settlement == address(0)) revert IExitVault.LendingIsClosed(asset);
        if (releasedLending[asset].releasedAt != 0) revert IExitVault.AlreadyDone();
        uint256 lending = RootHeader.figure(root.header, index, RootHeader.LENDING);
        uint256 payment = _share(lending, _fractionOf(asset));
        releasedLending[asset] = Released(payment.toUint128(), uint40(block.timestamp));
        emit IExitVault.LendingReleased(asset, payment);
        if (payment != 0) _pay(asset, settlement, payment);
    }

    /// @notice Pays the owner what no claim can take, 180 days after the end.
    function takeHouse(address asset) external nonReentrant {
        if (msg.sender != vault.keys().owner()) revert IExitVault.NotTheOwner(msg.sender);
        uint256 from = vault.closing().endedAt + HOUSE_WAIT;
        if (block.timestamp < from) revert IExitVault.TooEarly(from);
        Fraction memory fraction = _fractionOf(asset);
        vault.handOver(asset);
        uint256 reserved = fraction.owed < fraction.held ? fraction.owed : fraction.held;
        uint256 unpaid = fraction.paid < reserved ? reserved - fraction.paid : 0;
        uint256 held = _balanceOf(asset);
        if (held <= unpaid) revert IExitVault.NothingToPay();
        emit IExitVault.HouseTaken(asset, held - unpaid);
        Transfers.pay(asset, msg.sender, held - unpaid);
    }

    // Reading

    /// @notice Whether the vault has ended with this root as the base of all claims.
    function isEndRoot(IExitVault.PostedHeader calldata root) public view returns (bool) {
        IExitVault.Closing memory closing = vault.closing();
        return closing.endedAt != 0 && root.seq == closing.base && _isPosted(root);
    }

    /// @notice All claims and lending of an asset under the newest root, in base units, as they are after the end.
    /// @dev users + lending + (deposited − depositedSeen) − paid − (exited − exitedSeen). Payouts are void after the end, so
    /// payments to the payout address are not in `paid`; nor are payments before a drop, for their accounts may have no claim
    /// under the root that is left. So this is never less than all claims, but for vouchers forged under the last root.
    function owedAtEnd(address asset) public view returns (uint256) {
        IExitVault.Figures memory root = vault.figuresOf(asset);
        IExitVault.Totals memory totals = vault.totalsOf(asset);
        uint256 known = Math.max(Math.saturatingSub(root.paidSeen, root.payoutPaidSeen), vault.paidAtDrop(asset));
        uint256 paid = Math.saturatingSub(totals.paid - totals.payoutPaid, known);
        // No counter of a posted root is above the vault's.
        uint256 owed = uint256(root.owed) + totals.deposited - root.depositedSeen;
        return Math.saturatingSub(owed, paid + totals.exited - root.exitedSeen);
    }

    // Steps

    function _isPosted(IExitVault.PostedHeader calldata root) private view returns (bool) {
        bytes32 headerHash = vault.hashHeader(root.header);
        bytes32 hash = keccak256(abi.encode(IExitVault.RootRef(headerHash, root.postedAt, root.seq)));
        return root.seq != 0 && vault.rootAt(root.seq) == hash;
    }

    function _amountOf(IExitVault.PostedHeader[] calldata roots, IExitVault.Claim calldata claim)
        private
        view
        returns (uint256)
    {
        IExitVault.Account memory account = vault.accountOf(msg.sender);
        IExitVault.Balance memory balance = vault.balanceOf(msg.sender, claim.asset);
        balance.paid = (balance.paid + settledOf[msg.sender][claim.asset]).toUint112();
        if (roots.length == 0) return _amountWithoutRoot(account, balance);
        _requireEndRoot(roots[0]);
        IExitVault.PostedHeader calldata base = _baseOf(account, roots);
        if (base.seq < account.floor) revert IExitVault.RootBeforeFloor(base.seq, account.floor);
        return Leaves.amountUnder(base.header, claim, msg.sender, balance);
    }

    /// @dev As for an exit: a root that does not know the account's last exit does not count.
    function _baseOf(IExitVault.Account memory account, IExitVault.PostedHeader[] calldata roots)
        private
        view
        returns (IExitVault.PostedHeader calldata)
    {
        if (account.lastBlock <= RootHeader.cursorBlock(roots[0].header) || roots[0].seq == account.lastBase) {
            return roots[0];
        }
        if (roots.length < 2 || roots[1].seq != account.lastBase) {
            revert IExitVault.EarlierExitUnknown(account.lastBase);
        }
        if (!_isPosted(roots[1])) revert IExitVault.RootNotPosted(roots[1].seq);
        return roots[1];
    }

    /// @dev Every root was dropped: accounts get back their deposits, unless one of those roots has paid them.
    function _amountWithoutRoot(IExitVault.Account memory account, IExitVault.Balance memory balance)
        private
        view
        returns (uint256)
    {
        IExitVault.Closing memory closing = vault.closing();
        if (closing.endedAt == 0) revert IExitVault.VaultNotEnded();
        if (closing.base != 0) revert IExitVault.NotTheLastRoot(0);
        if (account.floor != 0 || account.lastBlock != 0) revert IExitVault.RootBeforeFloor(0, account.floor);
        if (balance.deposited <= balance.paid) revert IExitVault.NothingToPay();
        return balance.deposited - balance.paid;
    }

    function _requireEndRoot(IExitVault.PostedHeader calldata root) private view {
        if (!isEndRoot(root)) revert IExitVault.NotTheLastRoot(root.seq);
    }

    function _fractionOf(address asset) private returns (Fraction memory fraction) {
        fraction = fractionOf[asset];
        if (fraction.isFixed) return fraction;
        vault.handOver(asset);
        fraction = Fraction(_balanceOf(asset).toUint128(), owedAtEnd(asset).toUint128(), 0, true);
        fractionOf[asset] = fraction;
        emit IExitVault.FractionFixed(asset, fraction.held, fraction.owed);
    }

    function _share(uint256 amount, Fraction memory fraction) private pure returns (uint256) {
        // Two factors below 2^128 each.
        return fraction.owed > fraction.held ? amount * fraction.held / fraction.owed : amount;
    }

    function _pay(address asset, address to, uint256 payment) private {
        fractionOf[asset].paid += payment.toUint128();
        Transfers.pay(asset, to, payment);
    }

    function _balanceOf(address asset) private view returns (uint256) {
        return asset == address(0) ? address(this).balance : IERC20(asset).balanceOf(address(this));
    }
}
