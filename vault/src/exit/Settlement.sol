// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {Claims} from "./Claims.sol";
import {ExitVault} from "./ExitVault.sol";
import {IExitVault} from "./IExitVault.sol";
import {PositionsTree} from "./PositionsTree.sol";
import {RootHeader} from "./RootHeader.sol";
import {Transfers} from "./Transfers.sol";

/// @title Settlement of lending after the end of a vault
/// @notice For 90 days a borrower pays the debt of an order at the last root's index, and gets its collateral times the
/// fraction of that asset. Afterwards all that is left in a pool goes to its pledgers by shares, asset by asset. There are no
/// prices, no owner and no other way out.
///
/// Every pool has a pot of each asset, filled from its cash, its collateral and repaid debts. Pools never share a pot, so a
/// false leaf costs only the pool that it names. Debts are rounded up, everything that is paid out is rounded down.
contract Settlement is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    /// @param shares of all pledges of the pool
    /// @param cash base units of the pool's asset that were not lent
    struct PoolTotals {
        address asset;
        uint128 shares;
        uint128 cash;
        uint128 indexE27;
    }

    /// @notice One asset in one pool, in base units.
    /// @param total all that came in, less collateral that borrowers took back
    /// @param paid to pledgers
    struct Pot {
        uint128 total;
        uint128 paid;
    }

    /// @notice Money of one asset that the vault released.
    /// @param received of `owed` base units that the pools' figures name
    /// @param releasedAt the time at which the vault released it, 0 before
    struct Funding {
        uint128 received;
        uint128 owed;
        uint40 releasedAt;
    }

    event Opened(uint256 pools);
    event Funded(address indexed asset, uint256 received, uint256 owed);

    /// @notice A borrower paid `received` base units of debt and took `collateral` back.
    event Redeemed(
        address indexed account,
        bytes16 indexed id,
        address debtAsset,
        uint256 received,
        address collateralAsset,
        uint256 collateral,
        address to
    );

    /// @notice A pledger took `amount` out of a pool's pot of `asset`.
    event PledgeClaimed(
        address indexed account, address indexed pool, address indexed asset, uint256 amount, address to
    );

    error NotTheEndRoot();
    error AlreadyDone();
    error NotOpen();
    error WrongPools();
    error NotReleased(address asset);
    error UnknownPool(address asset);
    error WrongPath();

    /// @notice Borrowers may take this collateral back until `until`, pledgers may claim afterwards.
    error OutsideWindow(uint256 until);
    error WrongNativeValue(uint256 expected, uint256 sent);

    /// @notice Less arrived than the debt, or more than was sent.
    error WrongPayment(uint256 received, uint256 debt);
    error NothingToPay();
    error NotTheVault(address sender);

    address private constant NATIVE = address(0);
    uint256 private constant RAY = 1e27;

    /// @notice Time for borrowers after the end, or after a later release of their collateral.
    uint256 public constant WINDOW = 90 days;

    /// @notice The vault, which names this contract in its constructor.
    ExitVault public immutable vault;

    /// @notice Root of the positions tree, zero until `open`.
    bytes32 public positionsRoot;

    PoolTotals[] private _pools;
    mapping(address asset => uint256 indexPlusOne) private _indexOf;

    /// @dev Collateral of a pool's orders by asset, in base units, before the fraction.
    mapping(address pool => mapping(address asset => uint256)) private _collateralOf;
    mapping(address asset => Funding) public fundingOf;
    mapping(address pool => mapping(address asset => Pot)) public potOf;

    /// @dev Money in all pots of an asset.
    mapping(address asset => uint256) private _inPots;
    mapping(bytes16 id => mapping(address account => bool)) public isRedeemed;
    mapping(address account => mapping(address pool => mapping(address asset => uint256))) public claimed;

    /// @param vault_ the vault's address, computed before it is deployed
    constructor(ExitVault vault_) {
        vault = vault_;
    }

    /// @notice Takes the native coin from the vault's {Claims} only.
    receive() external payable {
        if (msg.sender != vault.claims()) revert NotTheVault(msg.sender);
    }

    /// @notice Takes over the last root's figures, once the vault has ended. Anyone may call.
    /// @param root the last root
    /// @param pools the totals whose hash is in its header
    function open(IExitVault.PostedHeader calldata root, PositionsTree.Pool[] calldata pools) external nonReentrant {
        if (positionsRoot != 0) revert AlreadyDone();
        if (!Claims(vault.claims()).isEndRoot(root)) revert NotTheEndRoot();
        if (PositionsTree.hashPools(pools) != RootHeader.pools(root.header)) revert WrongPools();
        positionsRoot = RootHeader.positionsRoot(root.header);
        for (uint256 i = 0; i < pools.length; ++i) {
            PositionsTree.Pool calldata pool = pools[i];
            _pools.push(PoolTotals(pool.asset, pool.shares, pool.cash, pool.indexE27));
            if (_indexOf[pool.asset] != 0) revert WrongPools();
            _indexOf[pool.asset] = i + 1;
            fundingOf[pool.asset].owed += pool.cash;
            for (uint256 j = 0; j < pools.length; ++j) {
                address asset = pools[j].asset;
                _collateralOf[pool.asset][asset] = pool.collateral[j];
                fundingOf[asset].owed += pool.collateral[j];
            }
        }
        emit Opened(pools.length);
    }

    /// @notice Shares the money of one asset that the vault released among the pools. Anyone may call, after
    /// `releaseLending` of {Claims}; the other calls do it where it is missing.
    function fund(address asset) external nonReentrant {
        _fund(asset);
    }

    /// @notice Pays the debt of the caller's order, and gives its collateral, times the fraction, to `to`.
    /// @param place of the order's leaf
    /// @param amount base units of the debt asset to send: at least the debt, and for the native coin exactly the debt. A
    /// token with a fee needs more, and what arrives goes to the pledgers
    function redeem(
        PositionsTree.Order calldata order,
        uint256 place,
        bytes32[] calldata path,
        uint256 amount,
        address to
    ) external payable nonReentrant {
        _requireLeaf(PositionsTree.hashOrder(msg.sender, order), place, path);
        if (isRedeemed[order.id][msg.sender]) revert AlreadyDone();
        isRedeemed[order.id][msg.sender] = true;
        Funding memory funding = _fund(order.collateralAsset);
        if (block.timestamp >= funding.releasedAt + WINDOW) revert OutsideWindow(funding.releasedAt + WINDOW);
        uint256 received = _receiveDebt(order.debtAsset, debtOf(order.debtAsset, order.debtShares), amount);
        _addToPot(order.debtAsset, order.debtAsset, received);
        _giveBack(order, received, _share(order.collateral, funding), to);
    }

    /// @notice Pays the caller's share of a pool's pot of one asset. Can be repeated where more came in later.
    function claimPledge(
        PositionsTree.Pledge calldata pledge,
        uint256 place,
        bytes32[] calldata path,
        address asset,
        address to
    ) external nonReentrant {
        _requireLeaf(PositionsTree.hashPledge(msg.sender, pledge), place, path);
        uint256 until = _fund(asset).releasedAt + WINDOW;
        if (block.timestamp < until) revert OutsideWindow(until);
        uint256 payment = _takeShare(pledge, asset);
        emit PledgeClaimed(msg.sender, pledge.pool, asset, payment, to);
        Transfers.pay(asset, to, payment);
    }

    /// @notice The debt of an order in base units, rounded up.
    function debtOf(address pool, uint256 debtShares) public view returns (uint256) {
        return Math.mulDiv(debtShares, _poolOf(pool).indexE27, RAY, Math.Rounding.Ceil);
    }

    // Steps

    /// @dev Each pool's part is rounded down, so the pots never name more than there is.
    function _fund(address asset) private returns (Funding memory funding) {
        funding = fundingOf[asset];
        if (funding.releasedAt != 0) return funding;
        if (positionsRoot == 0) revert NotOpen();
        (uint128 released, uint40 releasedAt) = Claims(vault.claims()).releasedLending(asset);
        if (releasedAt == 0) revert NotReleased(asset);
        // A token with a fee delivers less. What is already in pots is repaid debts.
        uint256 arrived = _balanceOf(asset) - _inPots[asset];
        funding.received = arrived < released ? arrived.toUint128() : released;
        funding.releasedAt = releasedAt;
        // Figures above what the header calls lending would only lower every part; below it, the rest stays here.
        if (funding.owed < funding.received) funding.received = funding.owed;
        fundingOf[asset] = funding;
        emit Funded(asset, funding.received, funding.owed);
        for (uint256 i = 0; i < _pools.length; ++i) {
            PoolTotals storage pool = _pools[i];
            uint256 part = _share(_collateralOf[pool.asset][asset], funding);
            if (pool.asset == asset) part += _share(pool.cash, funding);
            _addToPot(pool.asset, asset, part);
        }
    }

    function _giveBack(PositionsTree.Order calldata order, uint256 received, uint256 collateral, address to) private {
        // Below zero where leaves name more collateral than their pool has: then no other pool pays for it.
        potOf[order.debtAsset][order.collateralAsset].total -= collateral.toUint128();
        _inPots[order.collateralAsset] -= collateral;
        emit Redeemed(msg.sender, order.id, order.debtAsset, received, order.collateralAsset, collateral, to);
        Transfers.pay(order.collateralAsset, to, collateral);
    }

    /// @dev The caller's share of all that ever came into the pot, less earlier claims.
    function _takeShare(PositionsTree.Pledge calldata pledge, address asset) private returns (uint256 payment) {
        Pot storage pot = potOf[pledge.pool][asset];
        // Two factors below 2^128 each.
        uint256 share = uint256(pot.total) * pledge.shares / _poolOf(pledge.pool).shares;
        uint256 before = claimed[msg.sender][pledge.pool][asset];
        if (share <= before) revert NothingToPay();
        payment = share - before;
        claimed[msg.sender][pledge.pool][asset] = share;
        pot.paid += payment.toUint128();
        // More only where leaves name more shares than their pool has.
        if (pot.paid > pot.total) revert NothingToPay();
        _inPots[asset] -= payment;
    }

    function _share(uint256 amount, Funding memory funding) private pure returns (uint256) {
        return funding.owed == 0 ? 0 : amount * funding.received / funding.owed;
    }

    function _addToPot(address pool, address asset, uint256 amount) private {
        potOf[pool][asset].total += amount.toUint128();
        _inPots[asset] += amount;
    }

    function _requireLeaf(bytes32 hash, uint256 place, bytes32[] calldata path) private view {
        if (positionsRoot == 0) revert NotOpen();
        if (PositionsTree.rootOf(hash, place, path) != positionsRoot) revert WrongPath();
    }

    function _poolOf(address asset) private view returns (PoolTotals storage) {
        uint256 index = _indexOf[asset];
        if (index == 0) revert UnknownPool(asset);
        return _pools[index - 1];
    }

    function _receiveDebt(address asset, uint256 debt, uint256 amount) private returns (uint256 received) {
        if (asset == NATIVE) {
            if (msg.value != debt) revert WrongNativeValue(debt, msg.value);
            return debt;
        }
        if (msg.value != 0) revert WrongNativeValue(0, msg.value);
        uint256 balanceBefore = _balanceOf(asset);
        IERC20(asset).safeTransferFrom(msg.sender, address(this), amount);
        received = _balanceOf(asset) - balanceBefore;
        if (received < debt || received > amount) revert WrongPayment(received, debt);
    }

    function _balanceOf(address asset) private view returns (uint256) {
        return asset == NATIVE ? address(this).balance : IERC20(asset).balanceOf(address(this));
    }
}
