// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {Vm} from "forge-std/Vm.sol";
import {CommonBase} from "forge-std/Base.sol";
import {StdAssertions} from "forge-std/StdAssertions.sol";
import {ClearwellVault} from "../../src/ClearwellVault.sol";
import {IClearwellVault} from "../../src/IClearwellVault.sol";
import {TestToken} from "../../src/local/TestToken.sol";
import {FeeToken} from "../tokens/HostileTokens.sol";

/// Lives with a vault for a while: deposits, vouchers good and bad, limits, pauses, theft. It keeps books from the
/// vault's events alone, as the server does, and a model of the rules, and asserts at each step that the vault decides
/// as the model does.
contract Handler is CommonBase, StdAssertions, StdUtils {
    /// What the vault held of an asset right before a payment.
    struct Height {
        uint256 time;
        uint256 balance;
    }

    address private constant NATIVE = address(0);
    uint256 private constant SIGNER_KEY = 0x5167;
    uint256 private constant LARGEST = 1e24;
    uint256 public constant FIRST_NONCE = 240;
    uint256 public constant LAST_NONCE = 271;

    address public immutable owner = address(0x0111);
    address public immutable guardian = address(0x0222);
    address public immutable signer;
    ClearwellVault public immutable vault;
    TestToken public immutable dollar;
    FeeToken public immutable fee;

    address[3] public assets;
    address[4] private _users = [address(0xA1), address(0xA2), address(0xA3), address(0xA4)];

    // The books.
    mapping(address asset => uint256) public credited;
    mapping(address asset => uint256) public paid;
    mapping(address asset => uint256) public given;
    mapping(address account => mapping(address asset => uint256)) public received;
    mapping(uint256 nonce => uint256) public timesPaid;

    // The model.
    mapping(address asset => uint256) private _cap;
    mapping(address asset => uint256) private _dayLimit;
    mapping(address asset => Height[]) private _heights;
    bool public paused;

    constructor() {
        signer = vm.addr(SIGNER_KEY);
        vault = new ClearwellVault(owner, signer, guardian);
        dollar = new TestToken("Play dollar", "USDT", 6, address(this));
        fee = new FeeToken();
        assets = [NATIVE, address(dollar), address(fee)];
        for (uint256 i = 0; i < assets.length; ++i) {
            _setLimits(assets[i], LARGEST / 4, LARGEST);
        }
    }

    // Money in

    function deposit(uint256 who, uint256 which, uint256 amount, bytes32 orderId) external {
        address user = _users[who % 4];
        address asset = assets[which % 3];
        amount = bound(amount, 0, LARGEST);
        _give(user, asset, amount);

        vm.recordLogs();
        vm.startPrank(user);
        if (asset != NATIVE) IERC20(asset).approve(address(vault), amount);
        uint256 value = asset == NATIVE ? amount : 0;
        (bool done,) = address(vault).call{value: value}(abi.encodeCall(vault.deposit, (asset, amount, orderId)));
        vm.stopPrank();

        assertEq(done, !paused && amount > 0 && _dayLimit[asset] > 0, "deposit: vault and model disagree");
        if (done) _book();
    }

    function depositPlainly(uint256 who, uint256 amount) external {
        address user = _users[who % 4];
        amount = bound(amount, 0, LARGEST);
        vm.deal(user, amount);

        vm.recordLogs();
        vm.prank(user);
        (bool done,) = address(vault).call{value: amount}("");

        assertEq(done, !paused && amount > 0 && _dayLimit[NATIVE] > 0, "receive: vault and model disagree");
        if (done) _book();
    }

    /// Money that comes past the vault's functions: a token transfer, or coins forced in as by a dying contract.
    function give(uint256 which, uint256 amount) external {
        address asset = assets[which % 3];
        amount = bound(amount, 1, LARGEST);
        uint256 balanceBefore = balanceOf(asset, address(vault));
        if (asset == NATIVE) {
            vm.deal(address(vault), balanceBefore + amount);
        } else {
            _give(address(this), asset, amount);
            require(IERC20(asset).transfer(address(vault), amount));
        }
        given[asset] += balanceOf(asset, address(vault)) - balanceBefore;
    }

    // Money out

    /// A voucher in good order, over any amount, under any of a few nonces, in time or just too late.
    function withdraw(uint256 who, uint256 which, uint256 amount, uint256 nonce, uint256 deadline) external {
        _withdraw(_voucher(who, which, amount, nonce, deadline));
    }

    /// The amount is the most that can pass, so that limits are met exactly.
    function withdrawAllThatIsLeft(uint256 who, uint256 which, uint256 nonce, bool oneTooMany) external {
        IClearwellVault.Voucher memory voucher = _voucher(who, which, 0, nonce, 0);
        uint256 amount = _modelAvailable(voucher.asset);
        if (amount > _cap[voucher.asset]) amount = _cap[voucher.asset];
        voucher.amount = oneTooMany ? amount + 1 : amount;
        voucher.deadline = vm.getBlockTimestamp();
        uint256 held = balanceOf(voucher.asset, address(vault));
        if (voucher.amount > held) this.give(which, voucher.amount - held);
        _withdraw(voucher);
    }

    /// A voucher signed by another key, or altered after the signer signed it, never pays.
    function forge(uint256 who, uint256 which, uint256 amount, uint256 nonce, uint256 key, uint256 field) external {
        IClearwellVault.Voucher memory voucher = _voucher(who, which, amount, nonce, 0);
        voucher.deadline = vm.getBlockTimestamp() + 1 hours;
        bytes memory signature;
        if (field % 6 == 0) {
            key = bound(key, 1, type(uint128).max);
            if (key == SIGNER_KEY) return;
            signature = _sign(key, voucher);
        } else {
            signature = _sign(SIGNER_KEY, voucher);
            if (field % 6 == 1) voucher.account = address(uint160(voucher.account) + 1);
            if (field % 6 == 2) voucher.asset = assets[(which % 3 + 1) % 3];
            if (field % 6 == 3) ++voucher.amount;
            if (field % 6 == 4) ++voucher.nonce;
            if (field % 6 == 5) ++voucher.deadline;
        }
        assertFalse(_submit(voucher, signature), "a forged voucher was accepted");
    }

    // Powers

    /// Of eight settings one stops vouchers and one stops the asset; the others leave the run something to do.
    function setLimits(uint256 which, uint256 perVoucher, uint256 perDay) external {
        perVoucher = _spread(perVoucher);
        perDay = _spread(perDay);
        _setLimits(
            assets[which % 3],
            perVoucher % 8 == 0 ? 0 : perVoucher % LARGEST,
            perDay % 8 == 0 ? 0 : perDay % (2 * LARGEST)
        );
    }

    function pause(bool byOwner, uint256 chance) external {
        // Seldom, for a paused vault only refuses.
        if (paused || _spread(chance) % 4 != 0) return;
        vm.prank(byOwner ? owner : guardian);
        vault.pause();
        paused = true;
    }

    function unpause() external {
        if (!paused) return;
        vm.prank(owner);
        vault.unpause();
        paused = false;
    }

    /// Everyone tries every power that he does not have.
    function usurp(uint256 who, uint256 what) external {
        address[6] memory callers = [_users[0], _users[1], signer, guardian, address(vault), address(this)];
        address caller = callers[who % 6];
        bytes[7] memory powers = [
            abi.encodeCall(vault.setLimits, (NATIVE, LARGEST, LARGEST)),
            abi.encodeCall(vault.setSigner, (caller)),
            abi.encodeCall(vault.setGuardian, (caller)),
            abi.encodeCall(vault.unpause, ()),
            abi.encodeCall(vault.transferOwnership, (caller)),
            abi.encodeCall(vault.acceptOwnership, ()),
            abi.encodeCall(vault.pause, ())
        ];
        what %= 7;
        if (caller == guardian && what == 6) return;
        vm.prank(caller);
        (bool done,) = address(vault).call(powers[what]);
        assertFalse(done, "a power was usurped");
    }

    function wait(uint256 duration) external {
        vm.warp(vm.getBlockTimestamp() + bound(duration, 1, 9 hours));
    }

    // Reading, for the invariants

    function balanceOf(address asset, address account) public view returns (uint256) {
        return asset == NATIVE ? account.balance : IERC20(asset).balanceOf(account);
    }

    /// What the rule says in words: the limit less the fall since the highest balance of the current four hours and the
    /// six times four before.
    function modelAvailable(address asset) external view returns (uint256) {
        return _modelAvailable(asset);
    }

    // Steps

    function _withdraw(IClearwellVault.Voucher memory voucher) private {
        bool expected = !paused && _isPayable(voucher);
        uint256 held = balanceOf(voucher.asset, address(vault));
        bool done = _submit(voucher, _sign(SIGNER_KEY, voucher));
        assertEq(done, expected, "withdraw: vault and model disagree");
        if (!done) return;
        _heights[voucher.asset].push(Height(vm.getBlockTimestamp(), held));
        _assertDayWithinLimit(voucher.asset);
    }

    function _voucher(uint256 who, uint256 which, uint256 amount, uint256 nonce, uint256 deadline)
        private
        view
        returns (IClearwellVault.Voucher memory)
    {
        return IClearwellVault.Voucher({
            account: _users[who % 4],
            asset: assets[which % 3],
            // Mostly payable, sometimes nothing, sometimes over the cap.
            amount: _spread(amount) % (_cap[assets[which % 3]] / 4 * 5 + 1),
            // Few enough that nonces repeat, on both sides of the border between two words of the bitmap.
            nonce: FIRST_NONCE + _spread(nonce) % (LAST_NONCE - FIRST_NONCE + 1),
            // One in eight has expired by a second.
            deadline: vm.getBlockTimestamp() + _spread(deadline) % 8 - 1
        });
    }

    function _isPayable(IClearwellVault.Voucher memory voucher) private view returns (bool) {
        return vm.getBlockTimestamp() <= voucher.deadline && voucher.amount > 0 && timesPaid[voucher.nonce] == 0
            && voucher.amount <= _cap[voucher.asset] && voucher.amount <= _modelAvailable(voucher.asset)
            && voucher.amount <= balanceOf(voucher.asset, address(vault));
    }

    function _submit(IClearwellVault.Voucher memory voucher, bytes memory signature) private returns (bool done) {
        uint256 vaultBefore = balanceOf(voucher.asset, address(vault));
        uint256 userBefore = balanceOf(voucher.asset, voucher.account);

        vm.recordLogs();
        (done,) = address(vault).call(abi.encodeCall(vault.withdraw, (voucher, signature)));
        if (done) _book();

        uint256 left = done ? voucher.amount : 0;
        uint256 arrived = voucher.asset == address(fee) ? left - left / 100 : left;
        assertEq(vaultBefore - balanceOf(voucher.asset, address(vault)), left, "another amount left");
        assertEq(balanceOf(voucher.asset, voucher.account) - userBefore, arrived, "another amount arrived");
    }

    /// Books what the vault's events of the last call say. Only after a success: forge also records what a failed call
    /// had emitted before it failed, which no chain keeps.
    function _book() private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(vault)) continue;
            address asset = address(uint160(uint256(logs[i].topics[2])));
            uint256 amount = abi.decode(logs[i].data, (uint256));
            if (logs[i].topics[0] == IClearwellVault.Deposited.selector) {
                credited[asset] += amount;
            } else {
                assertEq(logs[i].topics[0], IClearwellVault.Withdrawn.selector);
                uint256 nonce = uint256(logs[i].topics[3]);
                paid[asset] += amount;
                ++timesPaid[nonce];
            }
        }
    }

    function _modelAvailable(address asset) private view returns (uint256) {
        uint256 held = balanceOf(asset, address(vault));
        uint256 highest = held;
        uint256 current = vm.getBlockTimestamp() / 4 hours;
        Height[] storage heights = _heights[asset];
        for (uint256 i = 0; i < heights.length; ++i) {
            bool counts = heights[i].time / 4 hours + 6 >= current;
            if (counts && heights[i].balance > highest) highest = heights[i].balance;
        }
        uint256 fallen = highest - held;
        return fallen < _dayLimit[asset] ? _dayLimit[asset] - fallen : 0;
    }

    /// The promise itself, which knows nothing of slots: in the 24 hours that end now, the balance was never higher than
    /// the present one plus the limit.
    function _assertDayWithinLimit(address asset) private view {
        uint256 most = balanceOf(asset, address(vault)) + _dayLimit[asset];
        Height[] storage heights = _heights[asset];
        for (uint256 i = 0; i < heights.length; ++i) {
            if (heights[i].time + 24 hours < vm.getBlockTimestamp()) continue;
            assertLe(heights[i].balance, most, "the balance fell by more than the limit in a day");
        }
    }

    function _setLimits(address asset, uint256 perVoucher, uint256 perDay) private {
        vm.prank(owner);
        vault.setLimits(asset, perVoucher, perDay);
        _cap[asset] = perVoucher;
        _dayLimit[asset] = perDay;
    }

    function _give(address user, address asset, uint256 amount) private {
        if (asset == NATIVE) vm.deal(user, user.balance + amount);
        else if (asset == address(fee)) fee.mint(user, amount);
        else dollar.mint(user, amount);
    }

    /// The fuzzer prefers small and round numbers; where those would all mean the same, they are spread out.
    function _spread(uint256 number) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(number)));
    }

    function _sign(uint256 key, IClearwellVault.Voucher memory voucher) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, vault.hashVoucher(voucher));
        return abi.encodePacked(r, s, v);
    }
}
