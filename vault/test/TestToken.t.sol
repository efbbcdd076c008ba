// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Test} from "forge-std/Test.sol";
import {TestToken} from "../src/local/TestToken.sol";

contract TestTokenTest is Test {
    function test_nameSymbolAndDecimalsAreThoseGiven() public {
        TestToken token = new TestToken("Play dollar", "USDT", 6, address(this));
        assertEq(token.name(), "Play dollar");
        assertEq(token.symbol(), "USDT");
        assertEq(token.decimals(), 6);
        assertEq(token.totalSupply(), 0);
    }

    function testFuzz_onlyTheOwnerMints(address caller) public {
        TestToken token = new TestToken("Play dollar", "USDT", 6, address(this));
        token.mint(address(1), 5);
        assertEq(token.balanceOf(address(1)), 5);

        vm.assume(caller != address(this));
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        token.mint(caller, 1);
    }

    function testFuzz_existsOnTheLocalChainOnly(uint64 chainId) public {
        chainId = uint64(bound(chainId, 1, type(uint64).max - 1));
        vm.assume(chainId != 31337);
        vm.chainId(chainId);
        vm.expectRevert(abi.encodeWithSelector(TestToken.OnlyOnLocalChain.selector, chainId));
        new TestToken("Play dollar", "USDT", 6, address(this));
    }
}
